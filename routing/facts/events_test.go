package facts_test

import "testing"

func TestEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		files           []string
		emits, consumes string
	}{
		{"kafka in Spring, topics in another file and in the settings", []string{
			"src/main/java/A.java", "import org.apache.kafka.x;\nkafkaTemplate.send(Topics.ORDER_PLACED, o);\n@KafkaListener(topics = {\"payment-done\", \"${app.topic.refund}\"}, groupId = \"g\")\nvoid a() {}",
			"src/main/java/Topics.java", "class Topics { public static final String ORDER_PLACED = \"order-placed\"; }",
			"src/main/resources/application.yml", "app:\n  topic:\n    refund: refund-asked\n",
		}, "order-placed", "payment-done refund-asked"},
		{"kafkajs", []string{"src/a.js", "const { Kafka } = require('kafkajs');\nconst topic = 'stock-low';\nawait producer.send({ topic, messages: [] });", "src/b.js", "const { Kafka } = require('kafkajs');\nproducer.send({ topic: 'stock-in', messages: [{ value: 'x' }] });\nconsumer.subscribe({ topics: ['price-a', 'price-b'] })"}, "stock-in stock-low", "price-a price-b"},
		{"nats in Go", []string{"a.go", "import \"github.com/nats-io/nats.go\"\nconst subject = \"cart.emptied\"\nnc.Publish(subject, b)\nnc.QueueSubscribe(\"cart.filled\", \"workers\", f)"}, "cart.emptied", "cart.filled"},
		{"amqp in JavaScript", []string{"a.js", "const amqp = require('amqplib');\nchannel.publish('billing', 'invoice.sent', b);\nchannel.consume('invoices', f)"}, "billing invoice.sent", "invoices"},
		{"pika", []string{"a.py", "import pika\nch.basic_publish(exchange='', routing_key='mail.out', body=b)\nch.basic_consume(queue=\"mail.in\", on_message_callback=f)"}, "mail.out", "mail.in"},
		{"rabbit in Spring", []string{"A.java", "import org.springframework.amqp.rabbit.x;\nrabbitTemplate.convertAndSend(\"ex\", \"key.a\", o);\n@RabbitListener(queues = \"jobs\")\nvoid f() {}"}, "ex key.a", "jobs"},
		{"sns and sqs", []string{"a.ts", "import { SNSClient } from '@aws-sdk/client-sns'; import '@aws-sdk/client-sqs';\nnew PublishCommand({ TopicArn: 'arn:aws:sns:eu-west-1:1:user-left', Message: m });\nnew ReceiveMessageCommand({ QueueUrl: \"https://sqs.example/1/user-joined\" })"}, "user-left", "user-joined"},
		{"sarama", []string{"a.go", "import \"github.com/IBM/sarama\"\np.SendMessage(&sarama.ProducerMessage{Topic: \"audit\", Value: v})"}, "audit", ""},
		{"nest, with enumerations and wrapped producers", []string{
			"libs/topics/src/index.ts", "export enum TOPICS {\n  // asked\n  BUILD_ASKED = \"build.asked.1\",\n  BUILD_DONE = 'build.done.1',\n}\nexport class Env { static readonly BUILD_DONE = 'BUILD_DONE'; }",
			"apps/a/src/build.controller.ts", "import { EventPattern } from '@nestjs/microservices';\nexport class C {\n  @EventPattern(TOPICS.BUILD_DONE)\n  async done(m: KafkaMessage) { await this.kafka.emitMessage(\n TOPICS.BUILD_ASKED,\n m) }\n}",
		}, "build.asked.1", "build.done.1"},
		{"one name, two owners", []string{
			"src/A.java", "import org.apache.kafka.x;\nclass A { @KafkaListener(topics = Bills.CREATED) void a() {} void b() { kafkaTemplate.send(Goods.CREATED, x); } }",
			"src/Bills.java", "final class Bills {\n  static final String CREATED = \"bill-created\";\n  static final String HALF = \"half-\" + CREATED;\n}",
			"src/Goods.java", "interface Goods { String CREATED = \"good-created\"; }",
			"src/B.java", "import org.apache.kafka.x;\nclass B { void b() { kafkaTemplate.send(Bills.HALF, x); } }",
		}, "good-created", "bill-created"},
		{"constants of a class in Python and Kotlin", []string{
			"a.py", "import aiokafka\nclass Topics(str, Enum):\n    PAID = \"till.paid\"\n\nclass Other:\n    PAID = \"no\"\n\nproducer.send(Topics.PAID, b)",
			"b.kt", "import org.apache.kafka.x\nclass Shelf { companion object { const val FILLED_TOPIC = \"shelf.filled\" } }",
			"c.kt", "import org.apache.kafka.x\n@KafkaListener(topics = [Shelf.FILLED_TOPIC]) fun f() {}",
		}, "till.paid", "shelf.filled"},
		{"options of rabbit's publishers in Go", []string{"main.go", "import \"example.org/pkg/rabbitmq\"\nnewPublisher(conn, orderPublisher.ExchangeName(\"oven-exchange\"))\nnewConsumer(conn, orderConsumer.QueueName(\"oven-queue\"))"}, "oven-exchange", "oven-queue"},
		{"messages in C#", []string{
			"Events.cs", "public record TillOpened(int Id); public class TillShut : IntegrationEvent {} public class TillMovedIntegrationEvent {}",
			"Send.cs", "using RabbitMQ;\nawait publisher.PublishMessage(TillOpened(till)); await publisher.PublishMessage(Serialize(x)); await bus.PublishAsync(new TillShut());\nvar e = new TillMovedIntegrationEvent(1);",
			"Startup.cs", "using RabbitMQ;\napp.UseListeners(new List<Type> { typeof(TillOpened), typeof(Unknown) });",
		}, "TillMovedIntegrationEvent TillOpened TillShut", "TillOpened"},
		{"message classes in Python", []string{"m.py", "from fedora_messaging import message\nclass Base(message.Message):\n    pass\nclass Moved(BaseMessage):\n    topic = \"shelf.moved\"\n    def f(self):\n        topic = \"no.topic\"\nclass View:\n    topic = \"not.this\"\napi.publish(Message(topic=\"shelf.new\", body={}))"}, "shelf.moved shelf.new", ""},
		{"tasks are no events", []string{"t.py", "from celery import shared_task\n@shared_task(name=\"mail.send\")\ndef f(): app.send_task(\"mail.again\")"}, "", ""},
		{"no messaging", []string{"a.js", "bus.publish('x-y'); store.subscribe('z-z'); res.send({ topic: 'a-b' })"}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := scan(t, c.files...)
			if got := values(f.Emits); got != c.emits {
				t.Errorf("emits %q, want %q", got, c.emits)
			}
			if got := values(f.Consumes); got != c.consumes {
				t.Errorf("consumes %q, want %q", got, c.consumes)
			}
		})
	}
}
