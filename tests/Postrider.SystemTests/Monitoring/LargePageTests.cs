using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Time.Testing;
using Postrider.Broker;
using Postrider.Broker.Http;

namespace Postrider.SystemTests.Monitoring;

/// <summary>The memory of large monitoring pages, and of those that nobody reads, is bounded.</summary>
public sealed class LargePageTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Large_pages_are_built_one_after_another()
    {
        var queue = new PageQueue();
        var entered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var leave = new ManualResetEventSlim();
        var isSecondBuilt = false;

        var first = Task.Run(() => queue.BuildAsync<PageContent?>(
            () =>
            {
                entered.SetResult();
                leave.Wait(Ct);
                return null;
            },
            Ct), Ct);
        await entered.Task.WaitAsync(s_patience, Ct);
        var second = queue.BuildAsync<PageContent?>(
            () =>
            {
                isSecondBuilt = true;
                return PageContent.OfText("second");
            },
            Ct);
        var wasBuiltBeside = isSecondBuilt;
        leave.Set();

        Assert.Null(await first.WaitAsync(s_patience, Ct));
        Assert.Equal("second", Encoding.UTF8.GetString((await second.WaitAsync(s_patience, Ct))!.Value.Bytes));
        Assert.False(wasBuiltBeside);
    }

    [Fact]
    public async Task Page_that_fails_does_not_stop_the_next_one()
    {
        var queue = new PageQueue();

        await Assert.ThrowsAsync<InvalidOperationException>(() => queue.BuildAsync<PageContent?>(static () => throw new InvalidOperationException(), Ct));

        Assert.NotNull(await queue.BuildAsync<PageContent?>(static () => PageContent.OfText("next"), Ct).WaitAsync(s_patience, Ct));
    }

    [Fact]
    public void Pages_above_the_limit_are_answered_with_503_until_others_are_read()
    {
        var memory = new PageMemory();
        var half = PageContent.OfJson(new byte[PageMemory.MaxWaitingBytes / 2]);
        var (first, second, third, small) = (half, half, half, PageContent.OfJson(new byte[PageMemory.CountedBytes]));

        int[] taken = [memory.Take(ref first), memory.Take(ref second), memory.Take(ref third), memory.Take(ref small)];
        memory.Release(taken[0]);
        var fourth = half;
        var afterwards = memory.Take(ref fourth);

        Assert.Equal([half.Bytes.Length, half.Bytes.Length, 0, 0], taken);
        Assert.Equal((half, half, StatusCodes.Status503ServiceUnavailable), (first, second, third.Status));
        Assert.Equal(
            "This page has 33554432 bytes, and pages of 67108864 bytes are waiting to be read by other clients; the limit is 67108864. Try again later, or request less with 'limit', 'acc' or 'cid'.\n",
            Encoding.UTF8.GetString(third.Bytes));
        Assert.Equal(StatusCodes.Status200OK, small.Status);
        Assert.Equal((half.Bytes.Length, half), (afterwards, fourth));
    }

    [Fact]
    public void Page_alone_may_be_larger_than_the_limit()
    {
        var memory = new PageMemory();
        var page = PageContent.OfJson(new byte[PageMemory.MaxWaitingBytes + 1]);
        var other = PageContent.OfJson(new byte[PageMemory.CountedBytes + 1]);

        var taken = memory.Take(ref page);
        var takenBeside = memory.Take(ref other);

        Assert.Equal((page.Bytes.Length, StatusCodes.Status200OK), (taken, page.Status));
        Assert.Equal((0, StatusCodes.Status503ServiceUnavailable), (takenBeside, other.Status));
    }

    [Fact]
    public async Task Page_that_is_not_read_is_dropped()
    {
        var time = new FakeTimeProvider(DateTimeOffset.UtcNow);
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, TimeProvider = time }, [], Ct);
        var pages = new MonitoringPages(broker.State, new BasicReadAccess(broker.State), "", Ct);
        var request = new UnreadRequest("/connz?subs=1");

        var served = await request.DropAsync(pages.HandleAsync(request.Context), time);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => served.WaitAsync(s_patience, Ct));
    }
}
