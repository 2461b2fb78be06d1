using System.Text;
using Postrider.Broker.JetStream.Streams.Publishing;

namespace Postrider.UnitTests.Broker.JetStream.Streams.Publishing;

/// <summary>The id of the newest message, with commits that fail.</summary>
public sealed class LastMessageIdTests
{
    private readonly LastMessageId _id = new();

    private string Text => Encoding.UTF8.GetString(_id.Value);

    [Fact]
    public void A_failed_commit_restores_the_committed_id()
    {
        _id.Set("first"u8);
        _id.Commit();
        _id.Set("second and longer"u8);
        _id.Set([]);
        Assert.Equal("", Text);

        _id.RollBack();

        Assert.Equal("first", Text);
        _id.RollBack();
        Assert.Equal("first", Text);
    }

    [Fact]
    public void Ids_of_the_usual_length_take_no_further_memory()
    {
        _id.Set("00000000-0000-0000-0000-000000000000"u8);
        _id.Commit();

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
        {
            _id.Set("11111111-1111-1111-1111-111111111111"u8);
            _id.Set([]);
            _id.Set("2"u8);
            _id.Commit();
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        Assert.Equal("2", Text);
    }

    [Fact]
    public void An_id_of_a_tick_later_is_not_the_committed_one_until_it_is_committed()
    {
        _id.Set("a"u8);
        _id.Commit();
        _id.Set("b"u8);
        _id.Commit();
        _id.Set("c"u8);

        _id.RollBack();

        Assert.Equal("b", Text);
    }
}
