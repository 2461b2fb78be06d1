using Postrider.Broker;

namespace Postrider.UnitTests.Broker.Sessions;

public sealed class ClientSessionTests
{
    private readonly SessionHarness _harness = new();

    [Fact]
    public async Task A_client_is_greeted_with_INFO()
    {
        var client = _harness.Open();

        var text = await client.ReadUntilAsync("\r\n");

        Assert.StartsWith("INFO {\"server_id\":\"NTEST\"", text);
        Assert.EndsWith("} \r\n", text);
    }

    [Fact]
    public async Task The_first_PONG_is_followed_by_INFO_about_the_account()
    {
        var client = _harness.Connect("""{"verbose":false,"protocol":1}""");
        await client.ReadUntilAsync("\r\n");

        client.Send("PING\r\n");
        var text = await client.ReadUntilAsync("} \r\n");

        Assert.StartsWith("PONG\r\nINFO {", text);
        Assert.Contains("\"connect_info\":true,\"remote_account\":\"$G\"", text);
    }

    [Theory]
    [InlineData("PUB foo 5\r\nhello\r\n", "MSG foo 1 5\r\nhello\r\n")]
    [InlineData("PUB foo 0\r\n\r\n", "MSG foo 1 0\r\n\r\n")]
    [InlineData("PUB foo reply 5\r\nhello\r\n", "MSG foo 1 reply 5\r\nhello\r\n")]
    [InlineData("pub  foo\t reply   5\r\nhello\r\n", "MSG foo 1 reply 5\r\nhello\r\n")]
    [InlineData("PUB foo 2\nhi\r\n", "MSG foo 1 2\r\nhi\r\n")]
    [InlineData("PUB foo 005\r\nhello\r\n", "MSG foo 1 005\r\nhello\r\n")]
    [InlineData("HPUB foo 12 17\r\nNATS/1.0\r\n\r\nhello\r\n", "HMSG foo 1 12 17\r\nNATS/1.0\r\n\r\nhello\r\n")]
    [InlineData("HPUB foo reply 12 12\r\nNATS/1.0\r\n\r\n\r\n", "HMSG foo 1 reply 12 12\r\nNATS/1.0\r\n\r\n\r\n")]
    public async Task A_publish_reaches_a_subscription(string publish, string message)
    {
        var client = _harness.Connect();
        client.Send("SUB foo 1\r\n");

        client.Send(publish);

        Assert.Equal(message, await client.FlushAsync());
    }

    [Fact]
    public async Task Times_longer_than_a_timer_takes_are_waited_for_in_parts()
    {
        var longest = TimeSpan.FromMilliseconds(uint.MaxValue - 1);
        var time = new TestClock();
        var harness = new SessionHarness(new BrokerOptions
        {
            TimeProvider = time,
            AuthTimeout = TimeSpan.FromDays(1000),
            PingInterval = TimeSpan.FromDays(1000),
            Authorization = new AuthorizationOptions { Token = "t" },
        });
        var client = harness.Open();
        var untilConnect = time.UntilNextTimer;

        client.Send("""CONNECT {"verbose":false,"auth_token":"t"}""" + "\r\n");
        time.Advance(TimeSpan.FromSeconds(3));
        await client.ReadUntilAsync("PING\r\n");

        Assert.InRange(untilConnect!.Value, TimeSpan.FromDays(1), longest);
        Assert.InRange(time.UntilNextTimer!.Value, TimeSpan.FromDays(1), longest);
    }

    [Fact]
    public async Task A_client_that_is_held_back_is_not_called_stale()
    {
        var time = new TestClock();
        var harness = new SessionHarness(new BrokerOptions
        {
            TimeProvider = time,
            PingInterval = TimeSpan.FromSeconds(10),
            MaxPingsOut = 1,
            // The clock runs ahead of the pool that takes what was sent.
            WriteDeadline = TimeSpan.FromDays(1),
        });
        var client = harness.Connect();
        client.Session.Connection.PauseReading();

        for (var i = 0; i < 10; i++) time.Advance(TimeSpan.FromSeconds(11));
        client.Session.Connection.ResumeReading();

        Assert.Equal("", await client.FlushAsync());
        time.Advance(TimeSpan.FromSeconds(11));
        await client.ReadUntilAsync("PING\r\n");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_read_that_reaches_too_many_is_handled_in_turns(bool echo)
    {
        const int Subscriptions = 5_000;
        const int Messages = 60;
        var client = _harness.Connect($$"""{"verbose":false,"echo":{{(echo ? "true" : "false")}}}""");
        client.Send(string.Concat(Enumerable.Range(1, Subscriptions).Select(static sid => $"SUB own {sid}\r\n")));

        client.Send(string.Concat(Enumerable.Repeat("PUB own 0\r\n\r\n", Messages)));
        var first = client.Session.InMessages;
        for (var turn = 0; turn < Messages && client.Session.InMessages < Messages; turn++) client.Send("");

        Assert.InRange(first, 1, Messages - 1);
        Assert.Equal(Messages, client.Session.InMessages);
        Assert.Equal(echo ? Subscriptions * Messages : 0, client.Session.Connection.Outbox.Messages);
        var last = await client.FlushAsync();
        Assert.Equal(echo, last.EndsWith("MSG own 5000 0\r\n\r\n", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("PUB $GR.a 70", "Permissions Violation for Publish to \"$GR.a\"")]
    [InlineData("PUB _GR_.a 70", "Permissions Violation for Publish to \"_GR_.a\"")]
    [InlineData("PUB $NRG.V.a 70", "Permissions Violation for Publish to \"$NRG.V.a\"")]
    [InlineData("PUB foo _R_.a 70", "Permissions Violation for Publish with Reply of \"_R_.a\"")]
    public async Task A_repeat_of_a_refused_publish_is_refused(string line, string error)
    {
        // Longer than what the parser looks at in one step, so that each repeat takes the short path.
        var publish = $"{line}\r\n{new string('x', 70)}\r\n";
        var client = _harness.Connect();
        client.Send("SUB > 1\r\n");

        client.Send(publish + publish + publish);

        Assert.Equal(string.Concat(Enumerable.Repeat($"-ERR '{error}'\r\n", 3)), await client.FlushAsync());
    }

    [Fact]
    public async Task Messages_whose_headers_were_taken_off_count_for_the_limit()
    {
        var publisher = _harness.Connect();
        var subscriber = _harness.Connect("""{"verbose":false,"pedantic":false}""");
        subscriber.Send("SUB foo 1\r\n");
        publisher.Send("HPUB foo 12 14\r\nNATS/1.0\r\n\r\nhi\r\n");
        await subscriber.ReadUntilAsync("hi\r\n");

        subscriber.Send("UNSUB 1 1\r\n");
        publisher.Send("HPUB foo 12 14\r\nNATS/1.0\r\n\r\nhi\r\n");

        Assert.Equal("", await subscriber.FlushAsync());
    }

    [Fact]
    public async Task A_subscription_that_comes_or_goes_between_repeats_of_a_publish_counts()
    {
        // Longer than what the parser looks at in one step, so that each repeat takes the short path.
        var publish = $"PUB foo 70\r\n{new string('x', 70)}\r\n";
        var message = $"MSG foo 1 70\r\n{new string('x', 70)}\r\n";
        var publisher = _harness.Connect();
        var subscriber = _harness.Connect();
        publisher.Send(publish + publish);

        subscriber.Send("SUB foo 1\r\n");
        publisher.Send(publish + publish);
        Assert.Equal(message + message, await subscriber.FlushAsync());
        subscriber.Send("UNSUB 1\r\n");
        publisher.Send(publish);
        Assert.Equal("", await subscriber.FlushAsync());
        subscriber.Send("SUB > 1\r\n");
        publisher.Send(publish);

        Assert.Equal(message, await subscriber.FlushAsync());
    }

    [Fact]
    public async Task A_client_that_is_cut_off_gets_no_more_of_its_frames_done()
    {
        var harness = new SessionHarness(new BrokerOptions { MaxPendingBytes = 1024 });
        var witness = harness.Connect();
        witness.Send("SUB foo 1\r\n");
        var client = harness.Connect();
        client.Session.Connection.Close();

        client.Send(string.Concat(Enumerable.Repeat("PUB foo 1\r\nx\r\n", 10)));

        Assert.Equal("", await witness.FlushAsync());
    }

    [Fact]
    public async Task A_message_cut_at_any_byte_arrives_whole()
    {
        var client = _harness.Connect();
        client.Send("SUB foo 1\r\n");
        var frame = "PUB foo reply 5\r\nhello\r\n"u8.ToArray();

        for (var cut = 0; cut <= frame.Length; cut++)
        {
            client.Send(frame[..cut]);
            client.Send(frame[cut..]);
            Assert.Equal("MSG foo 1 reply 5\r\nhello\r\n", await client.FlushAsync());
        }
    }

    [Fact]
    public async Task A_queue_group_takes_each_message_once()
    {
        var (publisher, first, second) = (_harness.Connect(), _harness.Connect(), _harness.Connect());
        first.Send("SUB work.* group 1\r\n");
        second.Send("SUB work.> group 1\r\n");

        for (var i = 0; i < 100; i++) publisher.Send("PUB work.a 2\r\nhi\r\n");
        var messages = (await first.FlushAsync()).Split("MSG ").Length - 1 + (await second.FlushAsync()).Split("MSG ").Length - 1;

        Assert.Equal(100, messages);
    }

    [Fact]
    public async Task A_client_without_echo_does_not_hear_itself()
    {
        var client = _harness.Connect("""{"verbose":false,"pedantic":false,"echo":false}""");
        var other = _harness.Connect();
        client.Send("SUB foo 1\r\n");
        other.Send("SUB foo 1\r\n");

        client.Send("PUB foo 2\r\nhi\r\n");

        Assert.Equal("", await client.FlushAsync());
        Assert.Equal("MSG foo 1 2\r\nhi\r\n", await other.FlushAsync());
    }

    [Fact]
    public async Task A_client_without_headers_gets_the_payload_alone()
    {
        var plain = _harness.Connect("""{"verbose":false,"pedantic":false}""");
        plain.Send("SUB foo 1\r\n");

        _harness.Connect().Send("HPUB foo r 12 17\r\nNATS/1.0\r\n\r\nhello\r\n");

        Assert.Equal("MSG foo 1 r 5\r\nhello\r\n", await plain.FlushAsync());
    }

    [Fact]
    public async Task A_subscription_ends_after_its_limit()
    {
        var client = _harness.Connect();
        client.Send("SUB foo 1\r\nUNSUB 1 2\r\n");

        for (var i = 0; i < 5; i++) client.Send($"PUB foo 1\r\n{i}\r\n");

        Assert.Equal("MSG foo 1 1\r\n0\r\nMSG foo 1 1\r\n1\r\n", await client.FlushAsync());
        Assert.Equal(0, client.Session.Subscriptions.Count);
        Assert.Equal(0, _harness.Account.Subscriptions.Count);
    }

    [Fact]
    public async Task A_limit_counts_what_came_before_it()
    {
        var client = _harness.Connect();
        client.Send("SUB foo 1\r\n");
        client.Send("PUB foo 1\r\na\r\nPUB foo 1\r\nb\r\n");

        client.Send("UNSUB 1 3\r\nPUB foo 1\r\nc\r\nPUB foo 1\r\nd\r\n");

        Assert.Equal("MSG foo 1 1\r\na\r\nMSG foo 1 1\r\nb\r\nMSG foo 1 1\r\nc\r\n", await client.FlushAsync());
    }

    [Fact]
    public async Task A_request_nobody_listens_to_is_answered_503()
    {
        var client = _harness.Connect();
        client.Send("SUB inbox.* 7\r\n");

        client.Send("PUB nobody inbox.1 2\r\nhi\r\n");

        Assert.Equal("HMSG inbox.1 7 38 38\r\nNATS/1.0 503\r\nNats-Subject: nobody\r\n\r\n\r\n", await client.FlushAsync());
    }

    [Fact]
    public async Task A_verbose_client_gets_OK_for_each_operation()
    {
        var client = _harness.Open();
        await client.ReadUntilAsync("\r\n");

        client.Send("CONNECT {}\r\nSUB foo 1\r\nPUB foo 2\r\nhi\r\nUNSUB 1\r\nPING\r\n");
        var text = await client.ReadUntilAsync("PONG\r\n");

        Assert.Equal("+OK\r\n+OK\r\n+OK\r\nMSG foo 1 2\r\nhi\r\n+OK\r\nPONG\r\n", text);
    }

    [Fact]
    public async Task A_pedantic_client_is_told_of_a_wildcard_it_publishes_to()
    {
        var client = _harness.Connect("""{"verbose":false,"pedantic":true}""");

        client.Send("PUB foo.* 0\r\n\r\n");

        Assert.Equal("-ERR 'Invalid Publish Subject'\r\n", await client.FlushAsync());
    }

    [Theory]
    [InlineData("FOO\r\n", "-ERR 'Unknown Protocol Operation'\r\n")]
    [InlineData("PUB foo 5\r\nhelloXX", "-ERR 'Unknown Protocol Operation'\r\n")]
    [InlineData("PUB foo 1048577\r\n", "-ERR 'Maximum Payload Violation'\r\n")]
    [InlineData("PUB foo\r\n", "")]
    [InlineData("PUB foo -1\r\n", "")]
    [InlineData("SUB foo\r\n", "")]
    [InlineData("HPUB foo 5 2\r\n", "")]
    [InlineData("CONNECT {bad\r\n", "")]
    [InlineData("CONNECT {\"protocol\":7,\"verbose\":false}\r\n", "-ERR 'invalid client protocol'\r\n")]
    [InlineData("CONNECT {\"headers\":false,\"no_responders\":true,\"verbose\":false}\r\n", "-ERR 'no responders requires headers support'\r\n")]
    public async Task A_broken_protocol_ends_the_session_in_the_references_words(string input, string answer)
    {
        var client = _harness.Connect();
        await client.ReadUntilAsync("\r\n");

        client.Send(input);

        Assert.Equal(answer, await client.ReadToEndAsync());
    }

    [Fact]
    public async Task A_line_too_long_ends_the_session()
    {
        var client = _harness.Connect();
        await client.ReadUntilAsync("\r\n");

        client.Send("SUB " + new string('x', 5000));

        Assert.Equal("-ERR 'maximum control line exceeded'\r\n", await client.ReadToEndAsync());
    }

    [Fact]
    public async Task An_invalid_subject_is_refused_and_the_session_goes_on()
    {
        var client = _harness.Connect();

        client.Send("SUB foo..bar 1\r\n");

        Assert.Equal("-ERR 'Invalid Subject'\r\n", await client.FlushAsync());
    }

    [Fact]
    public async Task More_subscriptions_than_allowed_are_refused()
    {
        var client = new SessionHarness(new BrokerOptions { MaxSubscriptions = 1 }).Connect();

        client.Send("SUB a 1\r\nSUB b 2\r\n");

        Assert.Equal("-ERR 'maximum subscriptions exceeded'\r\n", await client.FlushAsync());
        Assert.Equal(1, client.Session.Subscriptions.Count);
    }

    [Theory]
    [InlineData(-5, "-ERR 'maximum subscriptions exceeded'\r\n")]
    [InlineData(-1, "")]
    public async Task A_limit_of_subscriptions_below_minus_one_allows_none(int limit, string told)
    {
        var client = new SessionHarness(new BrokerOptions { MaxSubscriptions = limit }).Connect();

        client.Send("SUB a 1\r\n");

        Assert.Equal(told, await client.FlushAsync());
    }

    [Fact]
    public async Task A_limit_of_connections_below_zero_allows_none()
    {
        var harness = new SessionHarness(new BrokerOptions { MaxConnections = -1 });

        var refused = harness.Open();

        Assert.EndsWith("-ERR 'maximum connections exceeded'\r\n", await refused.ReadToEndAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_connection_too_many_is_told_so()
    {
        var harness = new SessionHarness(new BrokerOptions { MaxConnections = 1 });
        harness.Connect();

        var refused = harness.Open();
        await refused.ReadUntilAsync("\r\n");

        Assert.Equal("-ERR 'maximum connections exceeded'\r\n", await refused.ReadToEndAsync());
    }

    [Fact]
    public async Task The_end_of_a_session_ends_its_subscriptions()
    {
        var client = _harness.Connect();
        client.Send("SUB a 1\r\nSUB b.* q 2\r\n");

        client.Session.Connection.Close();
        await client.Session.Ended.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);

        Assert.Equal(0, _harness.Account.Subscriptions.Count);
        Assert.Equal(0, _harness.Context.Sessions.Count);
        Assert.Equal("Server Shutdown", Assert.Single(_harness.Context.Sessions.Closed()).CloseReason);
    }

    [Fact]
    public async Task Counters_tell_messages_and_bytes_of_both_directions()
    {
        var client = _harness.Connect();
        client.Send("SUB foo 1\r\n");
        client.Send("PUB foo 5\r\nhello\r\nHPUB foo 12 17\r\nNATS/1.0\r\n\r\nhello\r\n");
        await client.FlushAsync();

        var sums = _harness.Context.Sessions.Sum(subscriptions: 1);

        Assert.Equal((2, 22, 2, 22), (sums.InMessages, sums.InBytes, sums.OutMessages, sums.OutBytes));
    }

    [Fact]
    public void Publish_to_one_subscriber_allocates_nothing()
    {
        var client = _harness.Connect();
        client.Send("SUB foo 1\r\n");
        var publish = "PUB foo 5\r\nhello\r\n"u8.ToArray();

        Assert.Equal(0, Allocations.PerCall(() =>
        {
            _harness.Batch.Begin();
            client.Session.Receive(publish, _harness.Batch, out _);
            _harness.Batch.End(null);
            // The reader gives the chunk back: else each call would need another one.
            SpinWait.SpinUntil(() => client.Session.Connection.Outbox.PendingBytes == 0);
        }));
    }
}
