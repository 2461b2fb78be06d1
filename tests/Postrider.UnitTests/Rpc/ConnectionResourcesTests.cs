using Postrider.Rpc;

namespace Postrider.UnitTests.Rpc;

public sealed class ConnectionResourcesTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Objects_are_disposed_once_after_the_end_and_the_last_use()
    {
        var resources = new ConnectionResources(static _ => { });
        var held = resources.Acquire<Held>("a", static key => new Held((string)key));
        Assert.Same(held, resources.Acquire<Held>("a", static _ => throw new InvalidOperationException("A second one.")));
        var other = resources.Acquire<Held>("b", static key => new Held((string)key));
        Assert.Equal("b", other.Key);
        resources.Release();

        var ended = resources.EndAsync();
        Assert.Same(ended, resources.EndAsync());
        resources.Release();
        Assert.Equal((0, 0), (held.Disposals, other.Disposals));
        resources.Release();
        await ended.WaitAsync(Ct);

        Assert.Equal((1, 1), (held.Disposals, other.Disposals));
        Assert.Equal(RpcStatus.Unavailable, Assert.Throws<RpcException>(() => resources.Acquire<Held>("a", static key => new Held((string)key))).Status);
    }

    [Fact]
    public async Task Failed_disposal_is_reported_and_the_others_follow()
    {
        List<Exception> failures = [];
        var resources = new ConnectionResources(failures.Add);
        var first = resources.Acquire<Held>("a", static key => new Held((string)key) { IsBroken = true });
        var second = resources.Acquire<Held>("b", static key => new Held((string)key));
        resources.Release();
        resources.Release();

        await resources.EndAsync().WaitAsync(Ct);

        Assert.Equal("a is broken.", Assert.Single(failures).Message);
        Assert.Equal((1, 1), (first.Disposals, second.Disposals));
    }

    [Fact]
    public void Connection_without_objects_ends_at_once()
    {
        var resources = new ConnectionResources(static _ => { });

        Assert.True(resources.EndAsync().IsCompletedSuccessfully);
        Assert.True(resources.EndAsync().IsCompletedSuccessfully);
    }

    private sealed class Held(string key) : IDisposable
    {
        public string Key { get; } = key;

        public bool IsBroken { get; init; }

        public int Disposals { get; private set; }

        public void Dispose()
        {
            Disposals++;
            if (IsBroken)
                throw new InvalidOperationException($"{Key} is broken.");
        }
    }
}
