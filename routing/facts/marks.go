package facts

import (
	"bytes"
	"strings"
)

// marks is the table of what is looked for in code, one a line:
//
//	kind  languages  mark  where the name stands  how it is called  the file must mention
//
// The name stands in an argument of the call that the mark opens ("1" is the
// first, "1+" all from the first on), in what "=key|key" names at any depth of the
// call's arguments or of the braces that follow, or is the word after the mark. A
// mark that begins with "~" may end a longer word, as "emplate.send(" ends
// kafkaTemplate.send(. Comments in code are not looked at.
const marks = `
emits     java,kotlin ~emplate.send(            1             kafka  kafka
emits     java,kotlin  ProducerRecord           1             kafka  kafka
emits     java,kotlin  @SendTo(                 1             kafka  kafka
emits     java,kotlin  setTopic(                1             kafka  kafka
emits     java,kotlin  KafkaHeaders.TOPIC,      next          kafka  kafka
consumes  java,kotlin  @KafkaListener(          =topics|topicPattern  kafka  kafka
consumes  java,kotlin  @KafkaHandler(           =topics       kafka  kafka
consumes  java,kotlin  .subscribe(              1             kafka  kafka
consumes  java,kotlin  .stream(                 1             kafka  kafka
emits     java,kotlin  .to(                     1             kafka  kafka.streams|KStream
consumes  java,kotlin  @Incoming(               1             kafka  reactive.messaging
emits     java,kotlin  @Outgoing(               1             kafka  reactive.messaging
emits     java,kotlin  @Channel(                1             kafka  Emitter
consumes  java,kotlin  @RabbitListener(         =queues|queuesToDeclare  amqp  rabbit
emits     java,kotlin ~emplate.convertAndSend(  1             amqp   rabbit|amqp
emits     java,kotlin ~emplate.convertAndSend(  2             amqp   rabbit|amqp
emits     java,kotlin  .basicPublish(           1             amqp   rabbit|amqp
emits     java,kotlin  .basicPublish(           2             amqp   rabbit|amqp
consumes  java,kotlin  .basicConsume(           1             amqp   rabbit|amqp
emits     java,kotlin ~emplate.convertAndSend(  1             jms    JmsTemplate
consumes  java,kotlin  @JmsListener(            =destination  jms    jms
consumes  java,kotlin  @SqsListener(            1             sqs    sqs
consumes  java,kotlin  @SqsListener(            =value|queueNames  sqs  sqs
emits     java,kotlin  sqsTemplate.send(        1             sqs    sqs
emits     java,kotlin ~ssagingTemplate.convertAndSend(  1     sqs    sqs
emits     java,kotlin  snsTemplate.sendNotification(  1       sns    sns
emits     java,kotlin  .topicArn(               1             sns    sns
consumes  java,kotlin  @StreamListener(         1             stream  cloud.stream
emits     java,kotlin  streamBridge.send(       1             stream  StreamBridge
emits     java,kotlin ~omainEventPublisher.publish(  1        eventuate  eventuate
consumes  java,kotlin  .forAggregateType(       1             eventuate  eventuate
consumes  java,kotlin  .fromChannel(            1             eventuate  eventuate
consumes  java,kotlin  .subscribe(              1             nats   io.nats
emits     java,kotlin  .publish(                1             nats   io.nats

emits     js           .send(                   =topic        kafka  kafka
emits     js           .sendBatch(              =topic        kafka  kafka
consumes  js           .subscribe(              =topic|topics  kafka  kafka
emits     js           .produce(                1             kafka  rdkafka
consumes  js           .subscribe([             list          kafka  rdkafka
consumes  js           @EventPattern(           1             nest   @nestjs/microservices
consumes  js           @MessagePattern(         1             nest   @nestjs/microservices
emits     js          ~lient.emit(              1             nest   @nestjs/microservices|ClientProxy|ClientKafka
emits     js           .publish(                1             nats   nats
consumes  js           .subscribe(              1             nats   nats
emits     js           .sendToQueue(            1             amqp   amqp|rabbit|channel
emits     js           .publish(                1             amqp   amqp|rabbit
emits     js           .publish(                2             amqp   amqp|rabbit
consumes  js           .consume(                1             amqp   amqp|rabbit|channel
consumes  js           @RabbitSubscribe(        =queue|routingKey  amqp  rabbit
emits     js           .send(                   =TopicArn     sns    sns
emits     js           PublishCommand(          =TopicArn     sns    sns
emits     js           .publish(                =TopicArn     sns    sns
emits     js           SendMessageCommand(      =QueueUrl     sqs    sqs
emits     js           .sendMessage(            =QueueUrl     sqs    sqs
consumes  js           ReceiveMessageCommand(   =QueueUrl     sqs    sqs
consumes  js           .receiveMessage(         =QueueUrl     sqs    sqs
consumes  js           Consumer.create(         =queueUrl     sqs    sqs
consumes  js           @SqsMessageHandler(      1             sqs    sqs

emits     go           kafka.Message{           =Topic        kafka  kafka
emits     go           kafka.Writer{            =Topic        kafka  kafka
emits     go           kafka.WriterConfig{      =Topic        kafka  kafka
consumes  go           kafka.ReaderConfig{      =Topic|GroupTopics  kafka  kafka
emits     go           ProducerMessage{         =Topic        kafka  sarama
emits     go           kafka.TopicPartition{    =Topic        kafka  .Produce(
emits     go           kgo.Record{              =Topic        kafka  kgo
consumes  go           kgo.ConsumeTopics(       1+            kafka  kgo
consumes  go           .SubscribeTopics(        1             kafka  kafka
consumes  go           .ConsumePartition(       1             kafka  sarama
consumes  go           .Consume(                2             kafka  sarama
emits     go           .Publish(                1             nats   nats
emits     go           .PublishRequest(         1             nats   nats
emits     go           .PublishAsync(           1             nats   nats
emits     go           .Publish(                2             nats   jetstream
emits     go           nats.Msg{                =Subject      nats   nats
emits     go           .Request(                1             nats   nats.Conn|nats.Connect
consumes  go           .Subscribe(              1             nats   nats
consumes  go           .SubscribeSync(          1             nats   nats
consumes  go           .ChanSubscribe(          1             nats   nats
consumes  go           .PullSubscribe(          1             nats   nats
consumes  go           .QueueSubscribe(         1             nats   nats
consumes  go           ConsumerConfig{          =FilterSubject|FilterSubjects  nats  nats
emits     go           .Publish(                1             pubsub  watermill
consumes  go           AddHandler(              2             pubsub  watermill
emits     go           AddHandler(              4             pubsub  watermill
consumes  go           AddNoPublisherHandler(   2             pubsub  watermill
consumes  go           AddConsumerHandler(      2             pubsub  watermill
emits     go           .Publish(                1             amqp   amqp
emits     go           .Publish(                2             amqp   amqp
emits     go           .PublishWithContext(     2             amqp   amqp
emits     go           .PublishWithContext(     3             amqp   amqp
consumes  go           .Consume(                1             amqp   amqp
emits     go           sns.PublishInput{        =TopicArn     sns    sns
emits     go           sqs.SendMessageInput{    =QueueUrl     sqs    sqs
consumes  go           sqs.ReceiveMessageInput{ =QueueUrl     sqs    sqs
emits     go           .Topic(                  1             pubsub  cloud.google.com/go/pubsub
consumes  go           .Subscription(           1             pubsub  cloud.google.com/go/pubsub

emits     python       .send_and_wait(          1             kafka  kafka
emits     python       .send(                   1             kafka  kafka
emits     python      ~roducer.produce(         1             kafka  kafka
consumes  python       KafkaConsumer(           1+            kafka  kafka
consumes  python       .subscribe(              1             kafka  kafka
consumes  python       .subscribe(              =topics       kafka  kafka
consumes  python       app.topic(               1+            kafka  faust
emits     python       .basic_publish(          =routing_key|exchange  amqp  pika|amqp|rabbit
emits     python       .basic_publish(          1             amqp   pika
emits     python       .basic_publish(          2             amqp   pika
consumes  python       .basic_consume(          =queue        amqp   pika|amqp|rabbit
consumes  python       .basic_consume(          1             amqp   pika
emits     python       .publish(                =routing_key|exchange  amqp  aio_pika|kombu
emits     python       .publish(                1             nats   nats
consumes  python       .subscribe(              1             nats   nats
consumes  python       .subscriber(             1             kafka  faststream
emits     python       .publisher(              1             kafka  faststream
emits     python       .publish(                =TopicArn     sns    boto
emits     python       .send_message(           =QueueUrl     sqs    boto
consumes  python       .receive_message(        =QueueUrl     sqs    boto
consumes  python       .get_queue_by_name(      =QueueName    sqs    boto
consumes  python       shared_task(             =name         celery  celery
consumes  python       .task(                   =name         celery  celery
emits     python       .send_task(              1             celery  celery

emits     csharp       .ProduceAsync(           1             kafka  kafka
emits     csharp       .Produce(                1             kafka  kafka
consumes  csharp       .Subscribe(              1             kafka  kafka
emits     csharp       .BasicPublish(           =exchange|routingKey  amqp  rabbit
emits     csharp       .BasicPublishAsync(      =exchange|routingKey  amqp  rabbit
emits     csharp       .BasicPublish(           1             amqp   rabbit
emits     csharp       .BasicPublish(           2             amqp   rabbit
consumes  csharp       .BasicConsume(           =queue        amqp   rabbit
consumes  csharp       .BasicConsume(           1             amqp   rabbit
consumes  csharp       .ReceiveEndpoint(        1             masstransit  masstransit
consumes  csharp       IConsumer<               word          masstransit  masstransit
consumes  csharp       IHandleMessages<         word          nservicebus  nservicebus
consumes  csharp       IIntegrationEventHandler<  word        events  IntegrationEvent
consumes  csharp       .Subscribe<              word          events  IntegrationEvent
consumes  csharp       .AddSubscription<        word          events  IntegrationEvent
consumes  csharp       [CapSubscribe(           1             cap    cap
emits     csharp       .Publish<                word          masstransit  masstransit
emits     csharp       .Send<                   word          masstransit  masstransit
emits     csharp       .Publish(new             word          masstransit  masstransit
consumes  csharp       [ServiceBusTrigger(      1             servicebus  -
consumes  csharp       [QueueTrigger(           1             servicebus  -
emits     csharp       .CreateSender(           1             servicebus  servicebus
consumes  csharp       .CreateProcessor(        1             servicebus  servicebus
emits     csharp       .PublishEventAsync(      2             dapr   dapr
consumes  csharp       [Topic(                  2             dapr   dapr

emits     ruby         .publish(                =routing_key  amqp   bunny|rabbit
consumes  ruby         .queue(                  1             amqp   bunny|rabbit
consumes  ruby         from_queue               1             amqp   sneakers
emits     ruby         .topic(                  1             amqp   bunny|rabbit
emits     ruby         .fanout(                 1             amqp   bunny|rabbit
emits     ruby         .produce(                =topic        kafka  kafka
emits     ruby         .produce_async(          =topic        kafka  kafka|karafka
emits     ruby         .produce_sync(           =topic        kafka  kafka|karafka
emits     ruby         .deliver_message(        =topic        kafka  kafka
consumes  ruby         topic                    1             kafka  karafka
emits     ruby         .publish(                =topic_arn    sns    sns
emits     ruby         .send_message(           =queue_url    sqs    sqs

emits     php          ->basic_publish(         2             amqp   amqp
emits     php          ->basic_publish(         3             amqp   amqp
consumes  php          ->basic_consume(         1             amqp   amqp
emits     rust         FutureRecord::to(        1             kafka  kafka
consumes  rust         .subscribe(              1             kafka  kafka
emits     rust         .publish(                1             nats   nats
consumes  rust         .subscribe(              1             nats   nats

requires  js           decoded.                 word          jwt    jwt|jsonwebtoken|jose
requires  js           decodedToken.            word          jwt    jwt|jsonwebtoken|jose
requires  js           payload.                 word          jwt    jwt.verify|jwtVerify|jwt.decode|JwtPayload|PassportStrategy|jwt_decode|jwtDecode
requires  js           claims.                  word          jwt    jwt|jsonwebtoken|jose
requires  js           claims[                  1             jwt    jwt|jsonwebtoken|jose
issues    js           jwt.sign(                keys1         jwt    -
issues    js          ~wtService.sign(          keys1         jwt    -
issues    js          ~wtService.signAsync(     keys1         jwt    -
issues    js           SignJWT(                 keys1         jwt    -
requires  java,kotlin  .getClaim(               1             jwt    jwt
requires  java,kotlin  .getClaimAsString(       1             jwt    jwt
requires  java,kotlin  .getClaimAsStringList(   1             jwt    jwt
requires  java,kotlin  .getClaimAsBoolean(      1             jwt    jwt
requires  java,kotlin  .hasClaim(               1             jwt    jwt
requires  java,kotlin ~laims.get(               1             jwt    jwt|claims
requires  java,kotlin ~laims().get(             1             jwt    jwt|claims
requires  java,kotlin  .getBody().get(          1             jwt    jwt
requires  java,kotlin  .getPayload().get(       1             jwt    jwt
issues    java,kotlin  .withClaim(              1             jwt    jwt
issues    java,kotlin  .withArrayClaim(         1             jwt    jwt
issues    java,kotlin  .claim(                  1             jwt    jwt
issues    java,kotlin ~laims.put(               1             jwt    jwt|claims
requires  csharp       FindFirst(               1             jwt    claim
requires  csharp       FindFirstValue(          1             jwt    -
requires  csharp       RequireClaim(            1             jwt    -
requires  csharp       .HasClaim(               1             jwt    -
issues    csharp       Claim(                   1             jwt    new@Claim
requires  go           claims["                 quoted        jwt    jwt
issues    go           MapClaims{               keys0         jwt    -
requires  python       payload.get(             1             jwt    jwt
requires  python       payload[                 1             jwt    jwt
requires  python       claims.get(              1             jwt    jwt|claims
requires  python       claims[                  1             jwt    jwt|claims
requires  python       decoded.get(             1             jwt    jwt
requires  python       decoded[                 1             jwt    jwt
requires  python       decoded_token.get(       1             jwt    jwt
issues    python       jwt.encode(              keys1         jwt    -
requires  ruby         payload[                 1             jwt    JWT
requires  ruby         decoded[                 1             jwt    JWT
issues    ruby         JWT.encode(              keys1         jwt    -
`

// mark is one line of the table.
type mark struct {
	kind   string
	text   []byte
	within bool // the mark may end a longer word
	where  string
	how    string
	needs  string
}

// readMarks orders the table by language.
func readMarks() map[string][]mark {
	byLang := map[string][]mark{}
	for line := range strings.Lines(marks) {
		f := strings.Fields(line)
		if len(f) != 6 {
			continue
		}
		text, within := strings.CutPrefix(f[2], "~")
		m := mark{kind: f[0], text: []byte(text), within: within, where: f[3], how: f[4], needs: strings.ReplaceAll(f[5], "@", " ")}
		if strings.HasPrefix(f[5], "@") {
			m.needs = f[5]
		}
		for lang := range strings.SplitSeq(f[1], ",") {
			byLang[lang] = append(byLang[lang], m)
		}
	}
	return byLang
}

// readCode looks for every mark of the file's language.
func (s *Scan) readCode(f *source) {
	for _, m := range s.marks[f.lang] {
		if !f.mentions(m.needs) {
			continue
		}
		for at := 0; ; {
			i := bytes.Index(f.raw[at:], m.text)
			if i < 0 {
				break
			}
			at += i
			if m.within || !isWordByte(m.text[0]) || at == 0 || !isWordByte(f.raw[at-1]) {
				if f.isCode(at) {
					s.take(f, m, at)
				}
			}
			at += len(m.text)
		}
	}
}

// take reads the names that stand where the mark says.
func (s *Scan) take(f *source, m mark, at int) {
	end := at + len(m.text)
	text := f.text()
	last := text[end-1]
	switch m.where {
	case "word":
		start := skipSpace(text, end)
		stop := wordEnd(text, start)
		if stop > start && (m.how != "jwt" || !called(text, stop)) {
			s.note(f, m, at, term{text: string(text[start:stop])})
		}
		return
	case "quoted":
		if stop := bytes.IndexByte(text[end:min(len(text), end+100)], '"'); stop > 0 && !assigned(text, end+stop+2) {
			s.note(f, m, at, term{text: string(text[end : end+stop])})
		}
		return
	case "next":
		if parts := split(string(text[end:min(len(text), end+200)])); len(parts) > 0 {
			s.noteAll(f, m, at, terms(strings.TrimRight(parts[0], ");\n ")))
		}
		return
	}
	open := end - 1
	if last != '(' && last != '{' && last != '[' {
		open = opening(text, end)
	}
	inner, stop, ok := "", 0, false
	if open >= 0 {
		inner, stop, ok = group(text, open)
	} else if last != '(' { // a call without brackets, as Ruby's
		line, _, _ := bytes.Cut(text[end:min(len(text), end+200)], []byte{'\n'})
		if len(line) > 0 && line[0] == ' ' {
			inner, ok = strings.TrimSuffix(strings.TrimSpace(string(line)), " do"), true
		}
	}
	if !ok || inner == "" || last == '[' && m.where != "list" && assigned(text, stop+1) {
		return
	}
	s.takeArgs(f, m, at, inner)
}

// takeArgs reads the names out of a call's arguments.
func (s *Scan) takeArgs(f *source, m mark, at int, inner string) {
	args := split(inner)
	switch {
	case m.where == "list":
		for _, a := range args {
			s.noteAll(f, m, at, terms(a))
		}
	case m.where[0] == '=':
		for _, value := range keyed(inner, m.where[1:], 3) {
			s.noteAll(f, m, at, terms(value))
		}
	case m.where == "keys0" || m.where == "keys1":
		if m.where == "keys1" {
			open := strings.IndexByte(inner, '{')
			if len(args) == 0 || open < 0 || open > 1 {
				return
			}
			nested, _, ok := group([]byte(inner), open)
			if !ok {
				return
			}
			args = split(nested)
		}
		for _, a := range args {
			if name, _, ok := named(a); ok {
				s.note(f, m, at, term{text: lastPart(name)})
			} else if isName(a) && m.where == "keys1" {
				s.note(f, m, at, term{text: a})
			}
		}
	default:
		n := int(m.where[0] - '1')
		for i := n; i < len(args); i++ {
			if _, _, keyword := named(args[i]); !keyword {
				s.noteAll(f, m, at, terms(args[i]))
			}
			if !strings.HasSuffix(m.where, "+") {
				break
			}
		}
	}
}

// opening finds the bracket that follows a name, type arguments between aside.
func opening(text []byte, at int) int {
	if at < len(text) && text[at] == '<' {
		if i := bytes.IndexByte(text[at:min(len(text), at+100)], '>'); i > 0 {
			at += i + 1
		}
	}
	at = skipSpace(text, at)
	if at < len(text) && text[at] == '(' {
		return at
	}
	return -1
}

// called tells a method from a field.
func called(text []byte, at int) bool {
	at = skipSpace(text, at)
	return at < len(text) && text[at] == '('
}

// assigned tells a place that is written to, not read.
func assigned(text []byte, at int) bool {
	at = skipSpace(text, at)
	return at+1 < len(text) && text[at] == '=' && text[at+1] != '=' && text[at+1] != '~'
}
