using Postrider.Client;
using Postrider.Client.KeyValue;

namespace Postrider.Samples.OrderDesk;

/// <summary>Numbers the orders: a counter in a bucket, so that a new process continues where the old one ended.</summary>
public sealed class Ledger(KeyValueBucket bucket)
{
    private const string Key = "orders";

    public async Task<int> CountAsync(CancellationToken ct) => await bucket.TryGetAsync<int>(Key, ct: ct) is { } count ? count.Value : 0;

    public async Task<int> TakeAsync(CancellationToken ct)
    {
        while (true)
        {
            var count = await bucket.TryGetAsync<int>(Key, ct: ct);
            var number = (count?.Value ?? 0) + 1;
            try
            {
                await bucket.UpdateAsync(Key, number, count?.Revision ?? 0, ct: ct);
                return number;
            }
            catch (NatsClientException taken) when (taken.Code == NatsErrorCode.WrongRevision)
            {
                // Another order has taken the number: try the next one.
            }
        }
    }
}
