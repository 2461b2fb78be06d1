using Postrider.Rpc;
using Postrider.Samples.StockDesk;

namespace Postrider.SystemTests.Samples;

/// <summary>The sample of the guide to calls: one contract, asked in every way.</summary>
public class StockDeskTests
{
    [Fact]
    public async Task Contract_does_the_same_in_every_way()
    {
        await using var server = await StockServer.StartAsync();
        await using var callers = await StockCallers.ConnectAsync(server);
        var left = (await callers.All[0].Stock.FindAsync("tea")).Quantity;

        foreach (var (way, streams, stock) in callers.All)
        {
            var reserved = await stock.ReserveAsync(new("tea", 10));
            var soldOut = await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await stock.ReserveAsync(new("glass", 31)));
            var unknown = await Assert.ThrowsAsync<RpcException>(async () => await stock.FindAsync("moon"));
            var watched = streams ? (await stock.WatchAsync("tea").FirstAsync()).Quantity : reserved.Left.Quantity;

            left -= 10;
            Assert.Equal((way, new StockLevel("tea", left, 4.20m), left), (way, reserved.Left, watched));
            Assert.Equal((way, new SoldOut("glass", 30), "Only 30 of glass are left."), (way, soldOut.Detail, soldOut.Message));
            Assert.Equal((way, "There is no 'moon' here; there are tea, glass, unicorn."), (way, unknown.Message));
        }
    }

    [Fact]
    public async Task Asking_in_every_way_prints_what_the_README_shows()
    {
        const string Command = "$ dotnet run -c Release --project samples/StockDesk -- ask";
        var shown = Guides.GuideBlock.Read(await File.ReadAllTextAsync(Checkout.PathOf("README.md"), TestContext.Current.CancellationToken)).Single(static block => block.Lines is [Command, ..]).Lines.Skip(1).ToList();
        await using var desk = SampleProcess.Start("stock-desk", "ask");

        var printed = await desk.Lines.ReadAllAsync(TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken);

        Assert.True(Guides.PrintedLines.Match(shown, printed), string.Join('\n', printed));
    }

    [Fact]
    public async Task Watcher_in_one_way_sees_what_is_reserved_in_the_others()
    {
        await using var server = await StockServer.StartAsync();
        await using var callers = await StockCallers.ConnectAsync(server);
        var seen = new List<int>();

        await foreach (var level in callers.All[^1].Stock.WatchAsync("glass"))
        {
            seen.Add(level.Quantity);
            var (_, _, next) = callers.All[seen.Count % callers.All.Count];
            if (level.Quantity > 0)
                await next.ReserveAsync(new("glass", Math.Min(level.Quantity, 5)));
        }

        Assert.Equal([30, 25, 20, 15, 10, 5, 0], seen);
    }
}
