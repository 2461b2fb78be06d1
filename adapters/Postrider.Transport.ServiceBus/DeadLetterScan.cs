using System.Runtime.CompilerServices;
using Amqp;

namespace Postrider.Transport.ServiceBus;

/// <summary>Receives the messages of a queue until the selected ones are found, and returns the others.</summary>
internal sealed class DeadLetterScan(ServiceBusConnection connection, string source) : IAsyncDisposable
{
    // Received messages stay locked, and in memory, until the scan ends.
    private const int MaxMessages = 2000;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly List<ArrivedMessage> _others = [];
    private EntityReceiver? _receiver;

    /// <summary>Reads the chosen messages, in their order.</summary>
    /// <param name="chosen">Their sequence numbers; those that were read are removed.</param>
    /// <param name="ct">Ends the scan.</param>
    internal async IAsyncEnumerable<ArrivedMessage> ReadAsync(HashSet<long> chosen, [EnumeratorCancellation] CancellationToken ct = default)
    {
        if (chosen.Count == 0)
            yield break;
        _receiver = await EntityReceiver.OpenAsync(connection, source, nextSession: false, MaxMessages, ct).ConfigureAwait(false);
        while (chosen.Count > 0 && _others.Count < MaxMessages)
        {
            if (await NextAsync(_receiver, ct).ConfigureAwait(false) is not { } message)
                yield break;
            if (chosen.Remove(ServiceBusHeaderMapping.Sequence(message.Message)))
                yield return message;
            else
                _others.Add(message);
        }
    }

    /// <summary>Returns a message when the scan ends.</summary>
    internal void Keep(ArrivedMessage message) => _others.Add(message);

    /// <summary>Removes a message.</summary>
    internal void Remove(ArrivedMessage message)
    {
        _receiver!.Accept(message);
        _receiver.AddCredit();
    }

    public async ValueTask DisposeAsync()
    {
        if (_receiver is null)
            return;
        await _receiver.StopAsync().ConfigureAwait(false);
        while (_receiver.Arrived.TryRead(out var message))
            _others.Add(message);
        foreach (var message in _others)
            Return(_receiver, message);
        await _receiver.DisposeAsync().ConfigureAwait(false);
    }

    // Null if no more arrive: other receivers may have taken them meanwhile.
    private async Task<ArrivedMessage?> NextAsync(EntityReceiver receiver, CancellationToken ct)
    {
        using var limit = new CancellationTokenSource(s_patience, connection.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, ct);
        try
        {
            return await receiver.Arrived.WaitToReadAsync(either.Token).ConfigureAwait(false) && receiver.Arrived.TryRead(out var message) ? message : null;
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return null;
        }
    }

    private static void Return(EntityReceiver receiver, ArrivedMessage message)
    {
        try
        {
            receiver.Release(message);
        }
        catch (Exception gone) when (gone is AmqpException || ServiceBusErrors.IsLost(gone))
        {
            // Its lock expires.
        }
    }
}
