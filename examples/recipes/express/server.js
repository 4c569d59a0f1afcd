import { gatehouse, userOf } from '@gatehouse/sdk/express'
import express from 'express'

const app = express()

app.use(gatehouse({ home: '/notes', protect: ['/notes'] }))

app.get('/', (_req, res) => void res.send('<a href="/notes">Notes</a>'))
app.get('/notes', (req, res) => void res.type('text').send(`Notes of ${userOf(req)?.email}`))

const port = process.env.PORT ?? 3000
app.listen(port, () => console.log(`http://localhost:${port}`))
