namespace Postrider.UnitTests.Broker.JetStream.Streams;

/// <summary>Publishers whose message ids take more memory than an account's may.</summary>
public sealed class DuplicateMemoryTests : IDisposable
{
    private const string TooMany = "10167";

    private readonly StreamHarness _engine = new(new() { MaxDuplicateIdBytes = 20_000, MaxMemoryBytes = 1 << 30, MaxStoreBytes = 1 << 30 });

    public void Dispose() => _engine.Dispose();

    [Fact]
    public void New_ids_are_refused_until_older_ones_leave_their_window()
    {
        _engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s.*"],"storage":"memory","max_msgs":1,"duplicate_window":1000000000}""");
        var stored = 0;
        while (_engine.Publish("s.a", "", ("Nats-Msg-Id", Id(stored)))["error"] is null) stored++;

        Assert.InRange(stored, 10, 40);
        Assert.Contains(TooMany, _engine.Refused("s.a", "", ("Nats-Msg-Id", Id(stored))), StringComparison.Ordinal);
        Assert.Equal("true", _engine.Publish("s.a", "", ("Nats-Msg-Id", Id(0)))["duplicate"]?.ToString());
        Assert.Equal((ulong)stored + 1, _engine.Store("s.a"));

        _engine.Time.Advance(TimeSpan.FromSeconds(3));

        Assert.Equal(0, _engine.Streams.Services.DuplicateIds.Bytes);
        Assert.Equal((ulong)stored + 2, _engine.Store("s.a", "", ("Nats-Msg-Id", Id(stored))));
    }

    [Fact]
    public void A_batch_with_too_many_new_ids_is_refused_as_a_whole()
    {
        _engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s.*"],"storage":"memory","allow_atomic":true}""");
        for (var i = 1; i < 30; i++)
            Assert.Equal("", _engine.Request("s.a", "", ("Nats-Batch-Id", "b"), ("Nats-Batch-Sequence", $"{i}"), ("Nats-Msg-Id", Id(i))).Single().Payload);

        var refused = _engine.Refused("s.a", "", ("Nats-Batch-Id", "b"), ("Nats-Batch-Sequence", "30"), ("Nats-Msg-Id", Id(30)), ("Nats-Batch-Commit", "1"));

        Assert.Contains(TooMany, refused, StringComparison.Ordinal);
        Assert.Empty(_engine.Contents("S"));
        Assert.Equal(0, _engine.Streams.Services.DuplicateIds.Bytes);
    }

    [Fact]
    public void A_deleted_stream_returns_the_memory_of_its_ids()
    {
        _engine.Do("STREAM.CREATE.S", """{"name":"S","subjects":["s.*"],"storage":"memory"}""");
        _engine.Store("s.a", "", ("Nats-Msg-Id", Id(1)));
        Assert.InRange(_engine.Streams.Services.DuplicateIds.Bytes, 1, 20_000);

        _engine.Do("STREAM.DELETE.S");

        Assert.Equal(0, _engine.Streams.Services.DuplicateIds.Bytes);
    }

    private static string Id(int number) => $"{number}".PadLeft(800, '0');
}
