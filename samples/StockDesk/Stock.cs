using System.Runtime.CompilerServices;
using Postrider.Rpc;

namespace Postrider.Samples.StockDesk;

/// <summary>The desk itself, which does not depend on the transports.</summary>
internal sealed class Stock : IStock
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, StockLevel> _levels = new(StringComparer.Ordinal)
    {
        ["tea"] = new("tea", 1_000, 4.20m),
        ["glass"] = new("glass", 30, 12.50m),
        ["unicorn"] = new("unicorn", 0, 99_999.99m),
    };

    private TaskCompletionSource _changed = NewSignal();

    public ValueTask<StockLevel> FindAsync(string item, CancellationToken ct = default)
    {
        lock (_gate)
            return new(Level(item));
    }

    public ValueTask<Reservation> ReserveAsync(ReserveStock request, CancellationToken ct = default)
    {
        if (request.Quantity < 1)
            throw new RpcException(RpcStatus.InvalidData, $"A quantity of {request.Quantity} cannot be reserved: 1 is the least.");
        TaskCompletionSource changed;
        StockLevel left;
        lock (_gate)
        {
            var level = Level(request.Item);
            if (level.Quantity < request.Quantity)
                throw new RpcFaultException<SoldOut>(new(request.Item, level.Quantity), $"Only {level.Quantity} of {request.Item} are left.");
            _levels[request.Item] = left = level with { Quantity = level.Quantity - request.Quantity };
            (changed, _changed) = (_changed, NewSignal());
        }

        changed.SetResult();
        return new(new Reservation(Guid.NewGuid(), left));
    }

    public async IAsyncEnumerable<StockLevel> WatchAsync(string item, [EnumeratorCancellation] CancellationToken ct = default)
    {
        StockLevel? last = null;
        while (last is not { Quantity: 0 })
        {
            StockLevel level;
            Task changed;
            lock (_gate)
                (level, changed) = (Level(item), _changed.Task);
            if (level == last)
            {
                await changed.WaitAsync(ct);
                continue;
            }

            yield return last = level;
        }
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private StockLevel Level(string item)
        => _levels.TryGetValue(item, out var level) ? level : throw new RpcException(RpcStatus.NotFound, $"There is no '{item}' here; there are {string.Join(", ", _levels.Keys)}.");
}
