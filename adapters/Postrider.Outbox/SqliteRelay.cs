using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>Relays from SQLite, which has one writer: a row records which relay sends, and until when.</summary>
/// <remarks>No transaction is open while messages are sent, so that the application can write.</remarks>
internal sealed class SqliteRelay(OutboxStore store, BatchSender sender, OutboxOptions options, TimeProvider time) : RelayLoop(store, sender, options, time)
{
    private readonly SqliteText _text = (SqliteText)store.Text;
    private readonly string _owner = Guid.NewGuid().ToString("N");
    private bool _hasLease;

    internal override async ValueTask EndAsync()
    {
        if (!_hasLease)
            return;
        var open = await Store.OpenAsync(CancellationToken.None).ConfigureAwait(false);
        await using (open.ConfigureAwait(false))
            await open.Connection.ExecuteAsync(null, _text.EndLease, [("transport", Sender.Name), ("owner", _owner)], CancellationToken.None).ConfigureAwait(false);
        _hasLease = false;
    }

    protected override async ValueTask<(bool GoesOn, Exception? Outage)> RelayAsync(DbConnection connection, bool isProbe, CancellationToken stop)
    {
        // Reading does not block a writer.
        if (await connection.ScalarAsync(null, _text.HasWork, [("transport", Sender.Name), ("now", Now)], stop).ConfigureAwait(false) is not long work || work == 0)
            return (false, null);
        var (batch, until) = await TakeAsync(connection, isProbe, stop).ConfigureAwait(false);
        if (batch.Count == 0)
            return (false, null);

        // The rest of the lease is for sends that have already started: they end before another relay may send the same message.
        var rest = Options.RelayLease / 2;
        var lastBegin = until - (long)rest.TotalMilliseconds;
        var timeout = Options.SendTimeout < rest ? Options.SendTimeout : rest;
        var outcome = await Sender.SendAsync(batch, () => !stop.IsCancellationRequested && Now < lastBegin, timeout).ConfigureAwait(false);
        var transaction = await OutboxSession.BeginAsync(Store, connection, CancellationToken.None).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            await RecordAsync(connection, transaction, outcome).ConfigureAwait(false);
            await transaction.CommitAsync(CancellationToken.None).ConfigureAwait(false);
        }

        await DeferAsync(connection, outcome).ConfigureAwait(false);
        return (true, outcome.Outage);
    }

    private async ValueTask<(List<OutboxMessage> Batch, long Until)> TakeAsync(DbConnection connection, bool isProbe, CancellationToken ct)
    {
        var transaction = await OutboxSession.BeginAsync(Store, connection, ct).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            var now = Now;
            var until = now + (long)Options.RelayLease.TotalMilliseconds;
            _hasLease = await connection.ExecuteAsync(
                transaction, _text.TakeLease, [("transport", Sender.Name), ("owner", _owner), ("until", until), ("now", now), ("latest", until + SkewMilliseconds)], ct).ConfigureAwait(false) > 0;
            if (!_hasLease)
                return ([], 0);
            await connection.ExecuteAsync(transaction, _text.Promote, [("transport", Sender.Name), ("now", now), ("max", Options.BatchSize)], ct).ConfigureAwait(false);
            List<OutboxMessage> batch;
            var command = connection.Command(transaction, _text.Select(Options.KeepOrderBehindDeadLetters, isProbe), ("transport", Sender.Name), ("now", now), ("latest", Latest(now)), ("max", isProbe ? ProbeSize : Options.BatchSize));
            await using (command.ConfigureAwait(false))
                batch = await command.ReadMessagesAsync(Options.MaxBatchBytes, ct).ConfigureAwait(false);
            await transaction.CommitAsync(ct).ConfigureAwait(false);
            return (batch, until);
        }
    }
}
