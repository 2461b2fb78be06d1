using System.Runtime.CompilerServices;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>A consumer subscription as a stream: opened by the first read, closed when the reader leaves.</summary>
/// <param name="open">Creates the subscription.</param>
/// <param name="naksUnread">Whether unread messages are nak'ed, so that they are redelivered at once.</param>
/// <param name="ct">Stops reading.</param>
internal sealed class ConsumerSubscriptionStream<T>(Func<ConsumerSubscription<T>> open, bool naksUnread, CancellationToken ct) : IAsyncEnumerable<JetStreamMessage<T>>
{
    public IAsyncEnumerator<JetStreamMessage<T>> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        var linked = ct.CanBeCanceled && cancellationToken.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(ct, cancellationToken) : null;
        return new Enumerator(open, naksUnread, linked, linked?.Token ?? (ct.CanBeCanceled ? ct : cancellationToken));
    }

    private sealed class Enumerator(Func<ConsumerSubscription<T>> open, bool naksUnread, CancellationTokenSource? linked, CancellationToken ct) : IAsyncEnumerator<JetStreamMessage<T>>
    {
        private JetStreamMessage<T> _current;
        private ConsumerSubscription<T>? _subscription;

        public JetStreamMessage<T> Current => _current;

        public ValueTask<bool> MoveNextAsync()
            => _subscription is not null && !ct.IsCancellationRequested && _subscription.TryRead(out _current) ? new ValueTask<bool>(true) : WaitAsync();

        public async ValueTask DisposeAsync()
        {
            if (_subscription is not null)
            {
                if (naksUnread) await _subscription.NakUnreadAsync().ConfigureAwait(false);
                await _subscription.DisposeAsync().ConfigureAwait(false);
            }
            linked?.Dispose();
        }

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        private async ValueTask<bool> WaitAsync()
        {
            ct.ThrowIfCancellationRequested();
            if (_subscription is null)
            {
                _subscription = open();
                _subscription.Start();
            }
            return await _subscription.MoveNextAsync(ct).ConfigureAwait(false) && _subscription.TryRead(out _current);
        }
    }
}
