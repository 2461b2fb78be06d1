using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Postrider.Rpc;

namespace Postrider.InteropTests.Grpc;

/// <summary>The service, which tells what was cancelled.</summary>
internal sealed class Shop : IShop
{
    public Channel<string> Ended { get; } = Channel.CreateUnbounded<string>();

    public ValueTask<Receipt> BuyAsync(Order order, CallContext context, CancellationToken ct = default)
    {
        context.ResponseHeaders["served-by"] = "postrider";
        return order.Item switch
        {
            "glass" => throw new RpcFaultException<OutOfStock>(new OutOfStock { Item = order.Item, Left = 3 }, "Only 3 größere are left."),
            "secret" => throw new RpcException(RpcStatus.Forbidden, "Not for you."),
            "bug" => throw new InvalidOperationException("a file's name"),
            _ => new(new Receipt { Number = order.Quantity, Text = $"{order.Item} {string.Join('+', order.Tags)} {string.Join('+', order.Prices.Select(p => $"{p.Key}={p.Value}"))} {order.PaidCase} {context.Headers["tenant"]}" }),
        };
    }

    public async IAsyncEnumerable<Order> ListAsync(Filter filter, [EnumeratorCancellation] CancellationToken ct = default)
    {
        for (var i = 1; i <= filter.Most; i++)
        {
            await Task.Yield();
            yield return i < 5 ? new Order { Item = "tea", Quantity = i } : throw new RpcException(RpcStatus.Busy, "4 are enough.");
        }
    }

    public async ValueTask<Receipt> FillAsync(IAsyncEnumerable<Order> orders, CancellationToken ct = default)
    {
        var receipt = new Receipt();
        await foreach (var order in orders.WithCancellation(ct))
        {
            receipt.Number += order.Quantity;
            receipt.Text += order.Item;
        }

        return receipt;
    }

    public async IAsyncEnumerable<Receipt> TradeAsync(IAsyncEnumerable<Order> orders, [EnumeratorCancellation] CancellationToken ct = default)
    {
        await foreach (var order in orders.WithCancellation(ct))
            yield return new Receipt { Number = order.Quantity, Text = order.Item };
    }

    public ValueTask<int> AddAsync(int first, int second) => new(first + second);

    public async ValueTask WaitAsync(CallContext context, CancellationToken ct = default)
    {
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var registration = ct.UnsafeRegister(static state => ((TaskCompletionSource)state!).SetResult(), cancelled);
        await cancelled.Task;
        Ended.Writer.TryWrite(context.Timeout is null ? "wait" : "wait in time");
        ct.ThrowIfCancellationRequested();
    }

    public async IAsyncEnumerable<int> TickAsync(CallContext context, [EnumeratorCancellation] CancellationToken ct = default)
    {
        try
        {
            for (var i = 1; ; i++)
            {
                yield return i;
                await Task.Delay(1, ct);
            }
        }
        finally
        {
            Ended.Writer.TryWrite("tick");
        }
    }
}
