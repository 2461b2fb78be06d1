using Postrider.Client;
using Postrider.Client.KeyValue;
using Postrider.Serialization;

namespace Postrider.Samples.OrderPipeline;

/// <summary>The projection: the newest state of each order under its id. Events may arrive twice and late; an older state replaces none.</summary>
public sealed class OrderStates(KeyValueBucket bucket)
{
    /// <summary>The format of the stored states.</summary>
    public static Serializer<OrderState> Serializer { get; } = new JsonTypeSerializer<OrderState>(OrderJson.Default.OrderState);

    public async ValueTask ApplyAsync(string id, OrderState news, CancellationToken ct)
    {
        while (true)
        {
            var known = await bucket.TryGetAsync(id, Serializer, ct);
            if (known is not null && !news.IsNewerThan(known.Value)) return;
            try
            {
                await bucket.UpdateAsync(id, news, known?.Revision ?? 0, serializer: Serializer, ct: ct);
                return;
            }
            catch (NatsClientException changed) when (changed.Code == NatsErrorCode.WrongRevision)
            {
                // Another process has changed it in the meantime: read it again.
            }
        }
    }
}
