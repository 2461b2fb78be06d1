namespace Postrider.UnitTests.Broker.JetStream.Consumers;

public sealed class PullTests
{
    [Fact]
    public void Pull_gets_what_there_is_with_subjects_that_acknowledge()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(3);
        harness.Durable();

        using var client = harness.Pull("2");

        var messages = client.Take();
        Assert.Equal(["1", "2"], messages.Select(message => message.Payload));
        Assert.StartsWith("$JS.ACK.S.C.1.1.1.", messages[0].ReplyTo);
        Assert.EndsWith(".2", messages[0].ReplyTo);
        Assert.StartsWith("$JS.ACK.S.C.1.2.2.", messages[1].ReplyTo);
        Assert.EndsWith(".1", messages[1].ReplyTo);
        Assert.Equal(1, harness.Info()["num_pending"]!.GetValue<int>());
        Assert.Equal(2, harness.Info()["num_ack_pending"]!.GetValue<int>());
    }

    [Fact]
    public void Waiting_pull_gets_what_is_published_later()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        using var client = harness.Pull("""{"batch":2,"expires":5000000000}""");
        Assert.Equal(1, harness.Info()["num_waiting"]!.GetValue<int>());

        harness.WithMessages(3);

        Assert.Equal("1 2", client.TakeText());
        Assert.Equal(0, harness.Info()["num_waiting"]!.GetValue<int>());
    }

    [Fact]
    public void Expired_pull_hears_what_it_did_not_get()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable();
        using var client = harness.Pull("""{"batch":3,"max_bytes":1000,"expires":1000000000}""");
        var size = 1000 - BytesOf(client.Take().Single());

        harness.Advance(1.1);

        var status = client.Take().Single();
        Assert.Equal($"NATS/1.0 408 Request Timeout\r\nNats-Pending-Messages: 2\r\nNats-Pending-Bytes: {size}\r\n\r\n", status.Headers);
    }

    [Fact]
    public void One_shot_pulls_end_when_there_is_nothing()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();

        using var nothing = harness.Pull("""{"batch":3,"no_wait":true}""");
        harness.WithMessages(2);
        using var some = harness.Pull("""{"batch":3,"no_wait":true}""");

        Assert.Equal("[404 No Messages]", nothing.TakeText());
        Assert.Equal("1 2 [404 No Messages]", some.TakeText());
    }

    [Fact]
    public void One_shot_pull_with_an_end_waits_for_the_first_message()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        using var client = harness.Pull("""{"batch":3,"no_wait":true,"expires":5000000000}""");
        Assert.Equal("", client.TakeText());

        harness.WithMessages(1);

        Assert.Equal("1 [404 No Messages]", client.TakeText());
    }

    [Theory]
    [InlineData("""{"expires":-1}""", "[408 Request Timeout]")]
    [InlineData("""{"batch":1,"expires":-1,"no_wait":true}""", "[408 Request Timeout]")]
    [InlineData("""{"batch":1,"expires":9223372036854775807}""", "")]
    [InlineData("""{"batch":1,"expires":9223372036854775807,"no_wait":true}""", "")]
    [InlineData("""{"batch":1,"expires":9223372036854775807,"idle_heartbeat":9223372036854775807}""", "")]
    [InlineData("""{"batch":1}}""", "[400 Bad Request - invalid character '}' after top-level value]")]
    [InlineData("""{"batch":1} x""", "[400 Bad Request - invalid character 'x' after top-level value]")]
    [InlineData("""{"batch":1,"group":"\ud800","expires":60000000000}""", "")]
    [InlineData("""{"batch":1,"id":"\ud800"}""", "[400 Bad Request - Not a Pinned Client Priority consumer]")]
    [InlineData("""{"\ud800":1,"batch":1,"expires":60000000000}""", "")]
    [InlineData("""{"BATCH":true}""", "[400 Bad Request - json: cannot unmarshal bool into Go struct field .batch of type int]")]
    [InlineData("""{"no_wait":1}""", "[400 Bad Request - json: cannot unmarshal number into Go struct field .no_wait of type bool]")]
    public void Odd_requests_are_answered_as_nats_server_answers_them(string request, string expected)
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();

        using var client = harness.Pull(request);

        Assert.Equal(expected, client.TakeText());
    }

    [Fact]
    public void What_a_request_did_not_get_is_told_in_full()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        using var client = harness.Pull("""{"batch":4294967297,"max_bytes":9223372036854775807,"expires":1000000000}""");

        harness.Advance(1.1);

        Assert.Equal(
            "NATS/1.0 408 Request Timeout\r\nNats-Pending-Messages: 4294967297\r\nNats-Pending-Bytes: 9223372036854775807\r\n\r\n",
            client.Take().Single().Headers);
    }

    [Fact]
    public void One_shot_pull_held_up_by_open_deliveries_ends_at_its_heartbeat()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(9);
        harness.Durable("\"ack_policy\":\"explicit\",\"max_ack_pending\":5");
        using var client = harness.Pull("""{"batch":20,"expires":1900000000,"idle_heartbeat":500000000,"no_wait":true}""");
        Assert.Equal("1 2 3 4 5", client.TakeText());

        harness.Advance(0.6);

        Assert.Equal("[404 No Messages]", client.TakeText());
        Assert.Equal(0, harness.Info()["num_waiting"]!.GetValue<int>());
    }

    [Fact]
    public void Waiting_pulls_are_told_of_the_end_of_the_broker()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        using var client = harness.Pull("""{"batch":7,"max_bytes":1000,"expires":60000000000}""");

        harness.Engine.Engine.EndPulls();

        Assert.Equal(
            "NATS/1.0 409 Server Shutdown\r\nNats-Pending-Messages: 7\r\nNats-Pending-Bytes: 1000\r\n\r\n",
            client.Take().Single().Headers);
    }

    [Fact]
    public void Requests_take_turns()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        using var one = harness.Pull("""{"batch":2}""");
        using var two = harness.Pull("""{"batch":2}""");

        harness.WithMessages(4);

        Assert.Equal("1 3", one.TakeText());
        Assert.Equal("2 4", two.TakeText());
    }

    [Fact]
    public void Byte_limits_end_a_pull_before_the_message_that_is_too_large()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        harness.Engine.Store("a.1", new string('x', 300));
        harness.Engine.Store("a.2", new string('y', 300));

        using var client = harness.Pull("""{"batch":5,"max_bytes":500}""");

        var messages = client.Take();
        Assert.Equal(2, messages.Count);
        Assert.StartsWith("NATS/1.0 409 Message Size Exceeds MaxBytes\r\nNats-Pending-Messages: 4\r\n", messages[1].Headers);
    }

    [Fact]
    public void Completed_batch_with_bytes_left_says_so()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(1);
        harness.Durable();

        using var client = harness.Pull("""{"batch":1,"max_bytes":500}""");

        var messages = client.Take();
        Assert.Equal($"NATS/1.0 409 Batch Completed\r\nNats-Pending-Messages: 0\r\nNats-Pending-Bytes: {500 - BytesOf(messages[0])}\r\n\r\n", messages[1].Headers);
    }

    [Fact]
    public void Idle_heartbeats_tell_where_the_consumer_stands()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(2);
        harness.Durable();
        using var client = harness.Pull("""{"batch":5,"expires":10000000000,"idle_heartbeat":1000000000}""");
        Assert.Equal("1 2", client.TakeText());

        harness.Advance(1.05);

        Assert.Equal("NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 2\r\nNats-Last-Stream: 2\r\n\r\n", client.Take().Single().Headers);
        harness.Advance(9);
        Assert.EndsWith("[408 Request Timeout]", client.TakeText());
    }

    public static TheoryData<string, string, string> Refusals => new()
    {
        { "\"max_batch\":2", """{"batch":3}""", "[409 Exceeded MaxRequestBatch of 2]" },
        { "\"max_expires\":1000000000", """{"batch":1,"expires":2000000000}""", "[409 Exceeded MaxRequestExpires of 1s]" },
        { "\"max_bytes\":100", """{"batch":1,"max_bytes":101}""", "[409 Exceeded MaxRequestMaxBytes of 100]" },
        { "\"description\":\"\"", """{"batch":1,"expires":1000,"idle_heartbeat":501}""", "[400 Bad Request - heartbeat value too large]" },
        { "\"description\":\"\"", """{"batch":1,"min_pending":1}""", "[400 Bad Request - Not a Overflow Priority consumer]" },
        { "\"description\":\"\"", """{"batch":1,"id":"x"}""", "[400 Bad Request - Not a Pinned Client Priority consumer]" },
        { "\"description\":\"\"", """{"batch":1,"priority":10}""", "[400 Bad Request - Priority must be between 0 and 9]" },
        { "\"priority_policy\":\"overflow\",\"priority_groups\":[\"g\"]", """{"batch":1}""", "[400 Bad Request - Priority Group missing]" },
        { "\"priority_policy\":\"overflow\",\"priority_groups\":[\"g\"]", """{"batch":1,"group":"h"}""", "[400 Bad Request - Invalid Priority Group]" },
    };

    [Theory]
    [MemberData(nameof(Refusals))]
    public void Requests_beyond_the_rules_are_refused(string members, string request, string status)
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable("\"ack_policy\":\"explicit\"," + members);

        using var client = harness.Pull(request);

        Assert.Equal(status, client.TakeText());
    }

    [Fact]
    public void No_more_requests_wait_than_allowed()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable("\"ack_policy\":\"explicit\",\"max_waiting\":1");
        using var first = harness.Pull("""{"batch":1}""");

        using var second = harness.Pull("""{"batch":1}""");
        using var quiet = harness.Pull("""{"batch":1,"expires":5000000000,"idle_heartbeat":1000000000}""");

        Assert.Equal("[409 Exceeded MaxWaiting]", second.TakeText());
        Assert.Equal("", quiet.TakeText());
    }

    [Fact]
    public void Request_of_a_client_that_left_gets_nothing_and_costs_no_message()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable();
        harness.Pull("""{"batch":5}""").Dispose();

        harness.WithMessages(1);
        using var client = harness.Pull("1");

        Assert.Equal("1", client.TakeText());
    }

    [Fact]
    public void Push_consumer_refuses_pulls()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable("\"ack_policy\":\"none\",\"deliver_subject\":\"to.me\"");

        using var client = harness.Pull("1");

        Assert.Equal("[409 Consumer is push based]", client.TakeText());
    }

    [Fact]
    public void Overflow_requests_wait_until_enough_is_pending()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable("\"ack_policy\":\"explicit\",\"priority_policy\":\"overflow\",\"priority_groups\":[\"g\"]");
        using var spare = harness.Pull("""{"batch":10,"group":"g","min_pending":3}""");

        harness.WithMessages(2);
        Assert.Equal("", spare.TakeText());
        harness.WithMessages(1, from: 3);

        Assert.Equal("1", spare.TakeText());
    }

    [Fact]
    public void Overflow_requests_are_served_when_enough_is_open()
    {
        using var harness = new ConsumerHarness().WithStream().WithMessages(2);
        harness.Durable("\"ack_policy\":\"explicit\",\"priority_policy\":\"overflow\",\"priority_groups\":[\"g\"]");
        using var spare = harness.Pull("""{"batch":10,"group":"g","min_ack_pending":1}""");
        Assert.Equal("", spare.TakeText());

        using var worker = harness.Pull("""{"batch":1,"group":"g"}""");

        Assert.Equal("1", worker.TakeText());
        Assert.Equal("2", spare.TakeText());
    }

    [Fact]
    public void Prioritized_requests_come_first()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable("\"ack_policy\":\"explicit\",\"priority_policy\":\"prioritized\",\"priority_groups\":[\"g\"]");
        using var low = harness.Pull("""{"batch":2,"group":"g","priority":5}""");
        using var high = harness.Pull("""{"batch":2,"group":"g","priority":1}""");

        harness.WithMessages(3);

        Assert.Equal("1 2", high.TakeText());
        Assert.Equal("3", low.TakeText());
    }

    [Fact]
    public void Pinned_client_gets_everything_until_it_is_silent()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable("\"ack_policy\":\"explicit\",\"priority_policy\":\"pinned_client\",\"priority_groups\":[\"g\"],\"priority_timeout\":2000000000");
        using var one = harness.Pull("""{"batch":2,"group":"g"}""");
        using var two = harness.Pull("""{"batch":10,"group":"g"}""");

        harness.WithMessages(2);

        var messages = one.Take();
        Assert.Equal(["1", "2"], messages.Select(message => message.Payload));
        var pin = messages[0].Headers.Split("Nats-Pin-Id: ")[1].Split("\r\n")[0];
        Assert.Equal(pin, harness.Info()["priority_groups"]![0]!["pinned_client_id"]!.GetValue<string>());
        harness.WithMessages(1, from: 3);
        Assert.Equal("", two.TakeText());
        one.Pull($$"""{"batch":1,"group":"g","id":"{{pin}}"}""");
        Assert.Equal("3", one.TakeText());
        harness.Advance(2.1);
        harness.WithMessages(1, from: 4);
        Assert.Equal("4", two.TakeText());
        one.Pull($$"""{"batch":1,"group":"g","id":"{{pin}}"}""");
        Assert.Equal("[423 Nats-Pin-Id mismatch]", one.TakeText());
    }

    [Fact]
    public void Unpinned_group_takes_the_next_client()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable("\"ack_policy\":\"explicit\",\"priority_policy\":\"pinned_client\",\"priority_groups\":[\"g\"]");
        using var one = harness.Pull("""{"batch":1,"group":"g"}""");
        using var two = harness.Pull("""{"batch":10,"group":"g"}""");
        harness.WithMessages(1);
        Assert.Equal("1", one.TakeText());

        Assert.Null(harness.Engine.Do("CONSUMER.UNPIN.S.C", """{"group":"g"}""")["error"]);
        harness.WithMessages(1, from: 2);

        Assert.Equal("2", two.TakeText());
        Assert.Equal("400 10160 Provided priority group does not exist for this consumer", harness.Engine.Error("CONSUMER.UNPIN.S.C", """{"group":"h"}"""));
    }

    [Fact]
    public void Headers_only_leaves_the_payload_out_and_tells_its_size()
    {
        using var harness = new ConsumerHarness().WithStream();
        harness.Durable("\"ack_policy\":\"explicit\",\"headers_only\":true");
        harness.Engine.Store("a.1", "twelve bytes");
        harness.Engine.Store("a.2", "xyz", ("Mine", "yes"));

        using var client = harness.Pull("2");

        var messages = client.Take();
        Assert.Equal(("NATS/1.0\r\nNats-Msg-Size: 12\r\n\r\n", ""), (messages[0].Headers, messages[0].Payload));
        Assert.Equal("NATS/1.0\r\nMine: yes\r\nNats-Msg-Size: 3\r\n\r\n", messages[1].Headers);
    }

    // As it is counted: the subject that clients see, the acknowledgement's subject, headers and payload.
    private static int BytesOf(Streams.StreamHarness.Received message)
        => $"a.{message.Payload}".Length + message.ReplyTo.Length + message.Headers.Length + message.Payload.Length;
}
