using System.Runtime.CompilerServices;

namespace Postrider.Client.JetStream.Consuming;

/// <summary>An intake as a stream: opened at the first look, closed when the reader leaves.</summary>
/// <param name="open">Makes the intake.</param>
/// <param name="givesBack">Whether what the reader left unread is refused, so that others get it at once.</param>
/// <param name="ct">Stops reading.</param>
internal sealed class IntakeStream<T>(Func<Intake<T>> open, bool givesBack, CancellationToken ct) : IAsyncEnumerable<JetStreamMessage<T>>
{
    public IAsyncEnumerator<JetStreamMessage<T>> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        var linked = ct.CanBeCanceled && cancellationToken.CanBeCanceled ? CancellationTokenSource.CreateLinkedTokenSource(ct, cancellationToken) : null;
        return new Enumerator(open, givesBack, linked, linked?.Token ?? (ct.CanBeCanceled ? ct : cancellationToken));
    }

    private sealed class Enumerator(Func<Intake<T>> open, bool givesBack, CancellationTokenSource? linked, CancellationToken ct) : IAsyncEnumerator<JetStreamMessage<T>>
    {
        private JetStreamMessage<T> _current;
        private Intake<T>? _intake;

        public JetStreamMessage<T> Current => _current;

        public ValueTask<bool> MoveNextAsync()
            => _intake is not null && !ct.IsCancellationRequested && _intake.TryRead(out _current) ? new ValueTask<bool>(true) : WaitAsync();

        public async ValueTask DisposeAsync()
        {
            if (_intake is not null)
            {
                if (givesBack) await _intake.GiveBackAsync().ConfigureAwait(false);
                await _intake.DisposeAsync().ConfigureAwait(false);
            }
            linked?.Dispose();
        }

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        private async ValueTask<bool> WaitAsync()
        {
            ct.ThrowIfCancellationRequested();
            if (_intake is null)
            {
                _intake = open();
                _intake.Start();
            }
            return await _intake.MoveNextAsync(ct).ConfigureAwait(false) && _intake.TryRead(out _current);
        }
    }
}
