using System.Data.Common;

namespace Postrider.Outbox;

/// <summary>Relays from PostgreSQL, concurrently with any number of other relays: a lock for each key, and for each row without a key.</summary>
/// <remarks>The locks belong to the transaction that removes sent messages: a relay that dies releases them with everything that it had
/// not removed.</remarks>
internal sealed class PostgreSqlRelay(OutboxStore store, BatchSender sender, OutboxOptions options, TimeProvider time) : RelayLoop(store, sender, options, time)
{
    // Few, so that several relays share the keys.
    private const int KeysAtOnce = 16;

    private readonly PostgreSqlText _text = (PostgreSqlText)store.Text;
    private string _after = "";

    protected override async ValueTask<(bool GoesOn, Exception? Outage)> RelayAsync(DbConnection connection, bool isProbe, CancellationToken stop)
    {
        var now = Now;
        await connection.ExecuteAsync(null, _text.Promote, [("transport", Sender.Name), ("now", now), ("max", Options.BatchSize)], stop).ConfigureAwait(false);
        SendOutcome outcome;
        var transaction = await OutboxSession.BeginAsync(Store, connection, stop).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            var isWhole = _after.Length == 0;
            var keys = await LockKeysAsync(connection, transaction, now, stop).ConfigureAwait(false);
            isWhole &= _after.Length == 0;
            var batch = await SelectUnkeyedAsync(connection, transaction, now, isProbe, stop).ConfigureAwait(false);
            if (keys.Count > 0)
                batch.AddRange(await SelectKeysAsync(connection, transaction, keys, isProbe ? 1 : Options.BatchSize, stop).ConfigureAwait(false));
            if (batch.Count == 0)
                return (!isWhole, null);

            outcome = await Sender.SendAsync(batch, () => !stop.IsCancellationRequested, Options.SendTimeout).ConfigureAwait(false);
            await RecordAsync(connection, transaction, outcome).ConfigureAwait(false);
            await transaction.CommitAsync(CancellationToken.None).ConfigureAwait(false);
        }

        await DeferAsync(connection, outcome).ConfigureAwait(false);
        return (true, outcome.Outage);
    }

    // From where the last batch ended: every key gets its turn, however many there are.
    private async ValueTask<List<string>> LockKeysAsync(DbConnection connection, DbTransaction transaction, long now, CancellationToken ct)
    {
        var locked = new List<string>();
        var seen = 0;
        var command = connection.Command(
            transaction, _text.LockKeys(Options.KeepOrderBehindDeadLetters), ("transport", Sender.Name), ("after", _after), ("now", now), ("latest", Latest(now)), ("max", KeysAtOnce));
        await using (command.ConfigureAwait(false))
        {
            var reader = await command.ExecuteReaderAsync(ct).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                while (await reader.ReadAsync(ct).ConfigureAwait(false))
                {
                    seen++;
                    _after = reader.GetString(0);
                    if (reader.GetBoolean(1))
                        locked.Add(_after);
                }
            }
        }

        if (seen < KeysAtOnce)
            _after = "";
        return locked;
    }

    private async ValueTask<List<OutboxMessage>> SelectKeysAsync(DbConnection connection, DbTransaction transaction, List<string> keys, int max, CancellationToken ct)
    {
        var command = connection.Command(transaction, _text.SelectKeys(keys.Count), ("transport", Sender.Name), ("max", Math.Max(1, max / keys.Count)));
        await using (command.ConfigureAwait(false))
        {
            for (var i = 0; i < keys.Count; i++)
            {
                var parameter = command.CreateParameter();
                parameter.ParameterName = $"k{i}";
                parameter.Value = keys[i];
                command.Parameters.Add(parameter);
            }

            return await command.ReadMessagesAsync(Options.MaxBatchBytes, ct).ConfigureAwait(false);
        }
    }

    private async ValueTask<List<OutboxMessage>> SelectUnkeyedAsync(DbConnection connection, DbTransaction transaction, long now, bool isProbe, CancellationToken ct)
    {
        var command = connection.Command(
            transaction, isProbe ? _text.SelectEndsUnkeyed : _text.SelectUnkeyed, ("transport", Sender.Name), ("now", now), ("latest", Latest(now)), ("max", isProbe ? ProbeSize : Options.BatchSize));
        await using (command.ConfigureAwait(false))
            return await command.ReadMessagesAsync(Options.MaxBatchBytes, ct).ConfigureAwait(false);
    }
}
