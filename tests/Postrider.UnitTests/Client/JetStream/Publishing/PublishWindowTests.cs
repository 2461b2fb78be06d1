using Postrider.Client.JetStream.Publishing;

namespace Postrider.UnitTests.Client.JetStream.Publishing;

public sealed class PublishWindowTests
{
    [Fact]
    public void Window_takes_as_many_as_it_has_places()
    {
        var window = new PublishWindow(3);

        var taken = Enumerable.Range(0, 4).Count(_ => window.TryBegin(out var _));

        Assert.Equal((3, 3), (taken, window.InFlight));
        Assert.False(window.WhenRoom().IsCompleted);
    }

    [Fact]
    public void Waiting_publishers_are_woken_when_a_quarter_is_free()
    {
        var window = new PublishWindow(8);
        var tokens = Enumerable.Range(0, 8).Select(_ => window.TryBegin(out var pending) ? pending.Token : -1).ToArray();
        var room = window.WhenRoom();

        Leave(window, tokens[0]);
        var afterOne = (room.IsCompleted, window.TryBegin(out var _));
        Leave(window, tokens[1]);

        Assert.Equal((false, false), afterOne);
        Assert.True(room.IsCompleted);
        Assert.True(window.TryBegin(out var _));
    }

    [Fact]
    public void Late_answer_never_meets_the_next_publish_of_the_place()
    {
        var window = new PublishWindow(1);
        window.TryBegin(out var first);
        var old = first!.Token;
        Leave(window, old);
        window.TryBegin(out var second);

        Assert.Null(window.Take(old));
        Assert.NotEqual(old, second!.Token);
        Assert.Same(second, window.Take(second.Token));
    }

    [Fact]
    public void What_is_found_comes_in_the_order_in_which_it_was_begun()
    {
        var window = new PublishWindow(4);
        var tokens = Enumerable.Range(0, 4).Select(_ => window.TryBegin(out var pending) ? pending.Token : -1).ToArray();
        Leave(window, tokens[0]);
        Leave(window, tokens[2]);
        window.TryBegin(out var fifth);
        window.TryBegin(out var sixth);

        var found = window.Where(static _ => true);

        Assert.Equal([tokens[1], tokens[3], fifth!.Token, sixth!.Token], found.Select(static one => one.Token));
    }

    [Fact]
    public void Answer_to_an_earlier_sending_is_not_heard_any_more()
    {
        var window = new PublishWindow(4);
        window.TryBegin(out var pending);
        var old = pending!.Token;

        var renewed = window.TryRenew(pending, old);

        Assert.True(renewed);
        Assert.Null(window.Take(old));
        Assert.False(window.TryRenew(pending, old));
        Assert.Same(pending, window.Take(pending.Token));
    }

    [Fact]
    public void Emptiness_is_told_when_the_last_has_left()
    {
        var window = new PublishWindow(4);
        window.TryBegin(out var one);
        window.TryBegin(out var two);
        var empty = window.WhenEmpty();

        Leave(window, one!.Token);
        var before = empty.IsCompleted;
        Leave(window, two!.Token);

        Assert.False(before);
        Assert.True(empty.IsCompleted);
        Assert.True(window.WhenEmpty().IsCompleted);
    }

    [Fact]
    public void Publish_keeps_its_payload_however_large()
    {
        var window = new PublishWindow(1);
        window.TryBegin(out var pending);
        var bytes = new byte[100_000];
        new Random(3).NextBytes(bytes);

        foreach (var part in bytes.Chunk(777))
        {
            part.CopyTo(pending!.GetSpan(part.Length));
            pending.Advance(part.Length);
        }

        Assert.Equal(bytes, pending!.Payload.ToArray());
    }

    [Fact]
    public void Round_through_the_window_allocates_nothing()
    {
        var window = new PublishWindow(64);
        var payload = new byte[128];

        Assert.Equal(0, Allocations.PerCall(() =>
        {
            window.TryBegin(out var pending);
            payload.CopyTo(pending!.GetSpan(payload.Length));
            pending.Advance(payload.Length);
            window.Leave(window.Take(pending.Token));
        }));
    }

    private static void Leave(PublishWindow window, long token) => window.Leave(window.Take(token));
}
