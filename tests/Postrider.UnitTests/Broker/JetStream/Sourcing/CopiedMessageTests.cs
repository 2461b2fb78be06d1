using Postrider.UnitTests.Broker.JetStream.Streams;

namespace Postrider.UnitTests.Broker.JetStream.Sourcing;

/// <summary>The rules of a stream apply to the messages that it copies from another stream.</summary>
public sealed class CopiedMessageTests : IDisposable
{
    private const string Sourced = """ "sources":[{"name":"O"}] """;
    private const string Mirrored = """ "mirror":{"name":"O"} """;

    private readonly StreamHarness _engine = new();

    public void Dispose() => _engine.Dispose();

    [Theory]
    [InlineData(Sourced)]
    [InlineData(Mirrored)]
    public void Rollup_replaces_where_the_copying_stream_allows_it(string origin)
    {
        Create("O", """ "subjects":["o.*"],"allow_rollup_hdrs":true """);
        Create("ROLLS", origin + ""","allow_rollup_hdrs":true """);
        Create("KEEPS", origin);

        _engine.Store("o.a", "1");
        _engine.Store("o.b", "2");
        _engine.Store("o.a", "3", ("Nats-Rollup", "sub"));

        Assert.Equal(["2 o.b 2", "3 o.a 3"], _engine.Contents("ROLLS"));
        Assert.Equal(["1 o.a 1", "2 o.b 2", "3 o.a 3"], _engine.Contents("KEEPS"));

        _engine.Store("o.c", "4", ("Nats-Rollup", "all"));

        Assert.Equal(["4 o.c 4"], _engine.Contents("ROLLS"));
        Assert.Equal(4, _engine.Contents("KEEPS").Count);
    }

    [Theory]
    [InlineData(Sourced)]
    [InlineData(Mirrored)]
    public void Copies_are_republished(string origin)
    {
        Create("O", """ "subjects":["o.*"] """);
        Create("X", origin + ""","republish":{"src":"o.*","dest":"again.{{wildcard(1)}}"} """);
        using var heard = _engine.Listen("again.>");

        _engine.Store("o.a", "1");
        _engine.Store("o.a", "2");

        Assert.Equal([("again.a", "1"), ("again.a", "2")], heard.Messages.Select(static message => (message.Subject, message.Payload)));
        Assert.Contains("Nats-Stream: X\r\nNats-Subject: o.a\r\nNats-Sequence: 2\r\n", heard.Messages[1].Headers, StringComparison.Ordinal);
        Assert.Contains("\r\nNats-Last-Sequence: 1\r\n", heard.Messages[1].Headers, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Sourced)]
    [InlineData(Mirrored)]
    public void Copy_that_nobody_wants_only_takes_a_sequence_of_an_interest_stream(string origin)
    {
        Create("O", """ "subjects":["o.*"] """);
        Create("X", origin + ""","retention":"interest" """);

        _engine.Store("o.a", "1");
        _engine.Store("o.b", "2");

        Assert.Empty(_engine.Contents("X"));
        Assert.Equal(2, _engine.Do("STREAM.INFO.X")["state"]!["last_seq"]!.GetValue<int>());
    }

    [Theory]
    [InlineData(Sourced)]
    [InlineData(Mirrored)]
    public void Copy_that_is_too_large_waits_until_the_limit_is_raised(string origin)
    {
        Create("O", """ "subjects":["o.*"] """);
        Create("X", origin + ""","max_msg_size":60 """);
        _engine.Store("o.a", "1");
        _engine.Store("o.a", new string('2', 61));
        _engine.Store("o.a", "3");
        Assert.Equal(["1 o.a 1"], _engine.Contents("X"));

        _engine.Do("STREAM.UPDATE.X", Config("X", origin + ""","max_msg_size":600 """));
        _engine.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(["1 o.a 1", "2 o.a " + new string('2', 61), "3 o.a 3"], _engine.Contents("X"));
    }

    [Fact]
    public void Sealed_stream_copies_nothing_more()
    {
        Create("O", """ "subjects":["o.*"] """);
        Create("X", Sourced);
        _engine.Store("o.a", "1");
        _engine.Do("STREAM.UPDATE.X", Config("X", Sourced + ""","sealed":true """));

        _engine.Store("o.a", "2");

        Assert.Equal(["1 o.a 1"], _engine.Contents("X"));
        Assert.Equal(["1 o.a 1", "2 o.a 2"], _engine.Contents("O"));
    }

    [Fact]
    public void Copy_ends_the_copied_schedule()
    {
        Create("O", """ "subjects":["o.*"],"allow_msg_schedules":true,"allow_rollup_hdrs":true """);
        Create("X", Sourced + ""","allow_rollup_hdrs":true """);
        _engine.Store("o.schedule", "later", ("Nats-Schedule", $"@at {_engine.Time.GetUtcNow().AddSeconds(5):yyyy-MM-ddTHH:mm:ssZ}"), ("Nats-Schedule-Target", "o.due"));
        Assert.Equal(["1 o.schedule later"], _engine.Contents("X"));

        _engine.Time.Advance(TimeSpan.FromSeconds(6));

        Assert.Equal(["2 o.due later"], _engine.Contents("O"));
        Assert.Equal(["2 o.due later"], _engine.Contents("X"));
    }

    [Fact]
    public void Id_of_a_copy_is_the_last_id_of_the_copying_stream()
    {
        Create("O", """ "subjects":["o.*"] """);
        Create("X", Sourced + ""","subjects":["own"] """);
        _engine.Store("o.a", "1", ("Nats-Msg-Id", "first"));

        Assert.Equal("10070 wrong last msg ID: first", _engine.Refused("own", "2", ("Nats-Expected-Last-Msg-Id", "other")));
        Assert.Equal(2UL, _engine.Store("own", "2", ("Nats-Expected-Last-Msg-Id", "first")));
    }

    [Fact]
    public void Copying_begins_anew_with_a_stream_of_the_same_name_that_was_restarted_from_its_first_sequence()
    {
        Create("O", """ "subjects":["o.*"] """);
        Create("X", Sourced);
        _engine.Store("o.a", "1");
        _engine.Store("o.a", "2");
        _engine.Do("STREAM.UPDATE.X", Config("X", """ "subjects":["x"] """));
        _engine.Do("STREAM.DELETE.O");
        _engine.Time.Advance(TimeSpan.FromSeconds(1));
        Create("O", """ "subjects":["o.*"] """);
        foreach (var text in (string[])["a", "b", "c"]) _engine.Store("o.a", text);

        _engine.Do("STREAM.UPDATE.X", Config("X", Sourced + ""","subjects":["x"] """));

        Assert.Equal(["1 o.a 1", "2 o.a 2", "3 o.a a", "4 o.a b", "5 o.a c"], _engine.Contents("X"));
    }

    private static string Config(string name, string rest) => $$"""{"name":"{{name}}","storage":"memory",{{rest}}}""";

    private void Create(string name, string rest) => _engine.Do($"STREAM.CREATE.{name}", Config(name, rest));
}
