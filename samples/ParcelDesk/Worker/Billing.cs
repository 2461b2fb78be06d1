using System.Collections.Concurrent;
using Postrider;
using Postrider.Rpc;

namespace ParcelDesk.Worker;

/// <summary>Bills accepted parcels.</summary>
internal sealed class Billing(IRates rates, Ledger ledger) : INotificationHandler<ParcelAccepted>
{
    public async ValueTask Handle(ParcelAccepted notification, CancellationToken ct)
    {
        if (notification.To.Length == 0)
            throw new InvalidOperationException("Nobody lives there.");
        ledger.Enter(notification.Number, await rates.PriceAsync(notification.To, notification.Kilograms, ct));
    }
}

/// <summary>The billed parcels. A parcel that arrives twice is billed once.</summary>
public sealed class Ledger
{
    private readonly ConcurrentDictionary<string, int> _prices = new(StringComparer.Ordinal);

    /// <summary>The prices in cents by the parcels' numbers.</summary>
    public IReadOnlyDictionary<string, int> Prices => _prices;

    internal void Enter(string number, int price) => _prices[number] = price;
}

/// <summary>Adds the worker's token to its calls of the desk.</summary>
internal sealed class Token(IConfiguration configuration) : RpcInterceptor
{
    public override ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(RpcCall<TRequest, TItem> call, RpcCallNext<TRequest, TItem, TResponse> next)
    {
        call.Context.Headers["authorization"] = $"Bearer {configuration["Rates:Token"]}";
        return next(call);
    }
}
