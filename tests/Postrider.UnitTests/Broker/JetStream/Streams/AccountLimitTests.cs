using Postrider.Broker;
using Postrider.Broker.JetStream.Model;

namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>What an account may use, each limit by itself; the answers are nats-server's to the same requests.</summary>
public sealed class AccountLimitTests
{
    // With its subject of one letter a message of 286 bytes counts 303 in a memory stream and 317 in a file stream.
    private static readonly string Payload = new('p', 286);

    [Theory]
    [InlineData("memory", 3)]
    [InlineData("file", 6)]
    public void Bytes_of_all_streams_of_a_kind_are_bounded(string storage, int fit)
    {
        using var engine = new StreamHarness(limits: new AccountLimits { MaxMemoryBytes = 1000, MaxStoreBytes = 2000 });
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["s"],"storage":"{{storage}}"}""");
        engine.Do("STREAM.CREATE.T", $$"""{"name":"T","subjects":["t"],"storage":"{{storage}}"}""");

        for (var i = 0; i < fit; i++) engine.Store(i % 2 == 0 ? "s" : "t", Payload);

        Assert.Equal("10002 resource limits exceeded for account", engine.Refused("s", Payload));
        Assert.Equal("10002 resource limits exceeded for account", engine.Refused("t", Payload));
        engine.Do("STREAM.PURGE.T");
        engine.Store("s", Payload);
    }

    [Theory]
    [InlineData("memory", "memory streams hold or would reserve 303 bytes; the limit is 300 (max_memory_store;")]
    [InlineData("file", "file streams hold or would reserve 317 bytes; the limit is 310 (max_file_store;")]
    public void Log_names_the_servers_limit_once_in_a_minute(string storage, string expected)
    {
        var log = new LogLines();
        using var engine = new StreamHarness(new JetStreamOptions { MaxMemoryBytes = 300, MaxStoreBytes = 310 }, log: log);
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","subjects":["s"],"storage":"{{storage}}"}""");
        engine.Store("s", Payload);

        for (var i = 0; i < 3; i++) Assert.Equal("10023 insufficient resources", engine.Refused("s", Payload));
        var first = log.Warnings;
        engine.Time.Advance(TimeSpan.FromMinutes(2));
        engine.Refused("s", Payload);

        Assert.Contains(expected, first, StringComparison.Ordinal);
        Assert.Equal($"{first}\n{first}", log.Warnings);
    }

    [Fact]
    public void Log_names_the_servers_limit_that_a_new_stream_would_exceed()
    {
        var log = new LogLines();
        using var engine = new StreamHarness(new JetStreamOptions { MaxMemoryBytes = 300, MaxStoreBytes = 310 }, log: log);
        engine.Do("STREAM.CREATE.S", """{"name":"S","max_bytes":300}""");

        Assert.Equal("500 10047 insufficient storage resources available", engine.Error("STREAM.CREATE.T", """{"name":"T","max_bytes":11}"""));

        Assert.Contains("file streams hold or would reserve 311 bytes; the limit is 310 (max_file_store;", log.Warnings, StringComparison.Ordinal);
    }

    [Fact]
    public void What_streams_reserve_is_bounded()
    {
        using var engine = new StreamHarness(limits: new AccountLimits { MaxMemoryBytes = 1000, MaxStoreBytes = 2000 });
        engine.Do("STREAM.CREATE.M", """{"name":"M","storage":"memory","max_bytes":600}""");
        engine.Do("STREAM.CREATE.F", """{"name":"F","storage":"file","max_bytes":1500}""");

        Assert.Equal("500 10028 insufficient memory resources available", engine.Error("STREAM.CREATE.N", """{"name":"N","storage":"memory","max_bytes":401}"""));
        Assert.Equal("500 10047 insufficient storage resources available", engine.Error("STREAM.CREATE.G", """{"name":"G","storage":"file","max_bytes":501}"""));
        Assert.Equal("500 10047 insufficient storage resources available", engine.Error("STREAM.UPDATE.F", """{"name":"F","storage":"file","max_bytes":2001}"""));
        engine.Do("STREAM.CREATE.N", """{"name":"N","storage":"memory","max_bytes":400}""");
        var info = engine.Do("INFO");
        Assert.Equal((1000, 1500), ((int)info["reserved_memory"]!, (int)info["reserved_storage"]!));
    }

    [Theory]
    [InlineData("memory", "500 10028 insufficient memory resources available")]
    [InlineData("file", "500 10047 insufficient storage resources available")]
    public void Stream_without_a_limit_needs_room_that_is_not_reserved(string storage, string error)
    {
        using var reserved = new StreamHarness(limits: new AccountLimits { MaxMemoryBytes = 4000, MaxStoreBytes = 4000 });
        using var none = new StreamHarness(limits: new AccountLimits { MaxMemoryBytes = 0, MaxStoreBytes = 0 });
        reserved.Do("STREAM.CREATE.S", $$"""{"name":"S","storage":"{{storage}}","max_bytes":3000}""");
        reserved.Do("STREAM.CREATE.T", $$"""{"name":"T","storage":"{{storage}}","max_bytes":999}""");
        reserved.Do("STREAM.CREATE.U", $$"""{"name":"U","storage":"{{storage}}"}""");

        reserved.Do("STREAM.UPDATE.T", $$"""{"name":"T","storage":"{{storage}}","max_bytes":1000}""");

        Assert.Equal(error, reserved.Error("STREAM.CREATE.V", $$"""{"name":"V","storage":"{{storage}}"}"""));
        Assert.Equal(error, none.Error("STREAM.CREATE.V", $$"""{"name":"V","storage":"{{storage}}"}"""));
        Assert.Equal(error, none.Error("STREAM.RESTORE.V", $$$"""{"config":{"name":"V","storage":"{{{storage}}}"}}"""));
    }

    [Theory]
    [InlineData("memory", 501)]
    [InlineData("file", 901)]
    public void Bytes_of_one_stream_are_bounded(string storage, int tooMany)
    {
        using var engine = new StreamHarness(limits: new AccountLimits { MaxMemoryStreamBytes = 500, MaxFileStreamBytes = 900 });
        engine.Do("STREAM.CREATE.S", $$"""{"name":"S","storage":"{{storage}}","max_bytes":{{tooMany - 1}}}""");

        const string error = "400 10122 stream max bytes exceeds account limit max stream bytes";
        Assert.Equal(error, engine.Error("STREAM.CREATE.T", $$"""{"name":"T","storage":"{{storage}}","max_bytes":{{tooMany}}}"""));
        Assert.Equal(error, engine.Error("STREAM.UPDATE.S", $$"""{"name":"S","storage":"{{storage}}","max_bytes":{{tooMany}}}"""));
    }

    [Fact]
    public void Streams_may_have_to_say_how_large_they_become()
    {
        using var engine = new StreamHarness(limits: new AccountLimits { MaxBytesRequired = true });

        Assert.Equal("400 10113 account requires a stream config to have max bytes set", engine.Error("STREAM.CREATE.S", """{"name":"S"}"""));
        engine.Do("STREAM.CREATE.S", """{"name":"S","max_bytes":1000}""");
    }

    [Fact]
    public void Number_of_streams_is_bounded()
    {
        using var engine = new StreamHarness(limits: new AccountLimits { MaxStreams = 2 });
        engine.Do("STREAM.CREATE.S", """{"name":"S"}""");
        engine.Do("STREAM.CREATE.T", """{"name":"T"}""");

        Assert.Equal("400 10027 maximum number of streams reached", engine.Error("STREAM.CREATE.U", """{"name":"U"}"""));
        engine.Do("STREAM.CREATE.S", """{"name":"S"}""");
        engine.Do("STREAM.DELETE.S");
        engine.Do("STREAM.CREATE.U", """{"name":"U"}""");
    }

    [Fact]
    public void Number_of_consumers_of_a_stream_is_bounded()
    {
        using var engine = new StreamHarness(limits: new AccountLimits { MaxConsumers = 2 }, consumers: new Postrider.Broker.JetStream.Consumers.ConsumerRegistry());
        engine.Do("STREAM.CREATE.S", """{"name":"S"}""");
        engine.Do("STREAM.CREATE.T", """{"name":"T"}""");
        foreach (var (stream, name) in new[] { ("S", "A"), ("S", "B"), ("T", "A") })
            engine.Do($"CONSUMER.CREATE.{stream}.{name}", $$$"""{"stream_name":"{{{stream}}}","config":{"durable_name":"{{{name}}}","ack_policy":"explicit"}}""");

        Assert.Equal(
            "400 10026 maximum consumers limit reached",
            engine.Error("CONSUMER.CREATE.S.C", """{"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit"}}"""));
        Assert.Equal("400 10026 maximum consumers limit reached", engine.Error("STREAM.CREATE.U", """{"name":"U","max_consumers":3}"""));
        Assert.Equal("400 10026 maximum consumers limit reached", engine.Error("STREAM.UPDATE.T", """{"name":"T","max_consumers":3}"""));
    }

    [Fact]
    public void Number_of_consumers_has_a_default_where_neither_stream_nor_account_says()
    {
        using var engine = new StreamHarness(new JetStreamOptions { DefaultMaxConsumers = 1 }, consumers: new Postrider.Broker.JetStream.Consumers.ConsumerRegistry());
        engine.Do("STREAM.CREATE.S", """{"name":"S"}""");
        engine.Do("STREAM.CREATE.T", """{"name":"T","max_consumers":2}""");
        foreach (var (stream, name) in new[] { ("S", "A"), ("T", "A"), ("T", "B") })
            engine.Do($"CONSUMER.CREATE.{stream}.{name}", $$$"""{"stream_name":"{{{stream}}}","config":{"durable_name":"{{{name}}}","ack_policy":"explicit"}}""");

        foreach (var stream in new[] { "S", "T" })
        {
            Assert.Equal(
                "400 10026 maximum consumers limit reached",
                engine.Error($"CONSUMER.CREATE.{stream}.C", $$$"""{"stream_name":"{{{stream}}}","config":{"durable_name":"C","ack_policy":"explicit"}}"""));
        }
    }

    [Fact]
    public void Unacknowledged_messages_of_a_consumer_are_bounded()
    {
        using var engine = new StreamHarness(limits: new AccountLimits { MaxAckPending = 10 }, consumers: new Postrider.Broker.JetStream.Consumers.ConsumerRegistry());
        engine.Do("STREAM.CREATE.S", """{"name":"S"}""");

        Assert.Equal(
            "400 10121 consumer max ack pending exceeds system limit of 10",
            engine.Error("CONSUMER.CREATE.S.C", """{"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit","max_ack_pending":11}}"""));
        var filledIn = engine.Do("CONSUMER.CREATE.S.C", """{"stream_name":"S","config":{"durable_name":"C","ack_policy":"explicit"}}""");
        Assert.Equal(10, (int)filledIn["config"]!["max_ack_pending"]!);
    }

    [Fact]
    public void An_account_tells_its_limits_and_what_it_uses()
    {
        using var engine = new StreamHarness(limits: new AccountLimits
        {
            MaxMemoryBytes = 1000,
            MaxStoreBytes = 2000,
            MaxStreams = 3,
            MaxConsumers = 2,
            MaxAckPending = 10,
            MaxMemoryStreamBytes = 500,
            MaxFileStreamBytes = 900,
        });
        engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s"],"storage":"memory"}""");
        engine.Store("s", Payload);

        var info = engine.Do("INFO");

        Assert.Equal(
            """{"max_memory":1000,"max_storage":2000,"max_streams":3,"max_consumers":2,"max_ack_pending":10,"memory_max_stream_bytes":500,"storage_max_stream_bytes":900,"max_bytes_required":false}""",
            info["limits"]!.ToJsonString());
        Assert.Equal((303, 0, 1, 0), ((int)info["memory"]!, (int)info["storage"]!, (int)info["streams"]!, (int)info["consumers"]!));
    }
}
