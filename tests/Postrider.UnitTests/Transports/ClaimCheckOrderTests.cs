using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.ClaimChecks;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.UnitTests.Transports;

/// <summary>Messages of a key whose bodies are fetched from a store.</summary>
public sealed class ClaimCheckOrderTests
{
    private static readonly string s_large = new('x', 100);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Message_does_not_overtake_one_of_its_key_whose_body_is_being_fetched()
    {
        var store = new GatedStore();
        var options = new ClaimCheckOptions { ThresholdBytes = 10 };
        await using var transport = new ClaimCheckTransport(new InMemoryTransport(), store, options, TimeProvider.System, NullLogger.Instance);
        var handled = new ConcurrentQueue<string>();
        await using var listener = await transport.ListenAsync(
            new AtLeastOnceBinding("orders") { OrderByKey = true },
            (envelope, _) =>
            {
                handled.Enqueue(Encoding.UTF8.GetString(envelope.Body.Span));
                return default;
            },
            Ct);
        var sender = transport.OpenSender("orders");

        var large = sender.SendAsync(new() { MessageId = "1", Key = "k" }, Encoding.UTF8.GetBytes(s_large), Ct).AsTask();
        await store.Begun.Task.WaitAsync(Ct);
        var small = sender.SendAsync(new() { MessageId = "2", Key = "k" }, "small"u8.ToArray(), Ct).AsTask();
        await sender.SendAsync(new() { MessageId = "3", Key = "other" }, "other"u8.ToArray(), Ct);
        store.Gate.SetResult();
        await Task.WhenAll(large, small);

        Assert.Equal(["other", s_large, "small"], handled);
    }

    private sealed class GatedStore : IClaimStore
    {
        private readonly ConcurrentDictionary<string, byte[]> _bodies = new(StringComparer.Ordinal);

        public TaskCompletionSource Begun { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public TaskCompletionSource Gate { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ValueTask PutAsync(string id, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            _bodies[id] = body.ToArray();
            return default;
        }

        public async ValueTask<ReadOnlyMemory<byte>?> GetAsync(string id, int maxBytes, CancellationToken ct)
        {
            Begun.TrySetResult();
            await Gate.Task;
            return _bodies[id];
        }

        public ValueTask RemoveAsync(string id, CancellationToken ct) => default;
    }
}
