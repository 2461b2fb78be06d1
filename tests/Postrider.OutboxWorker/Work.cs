using System.Text.Json.Serialization;
using Postrider.Outbox;

namespace Postrider.OutboxWorker;

internal sealed partial record Work(long Number) : ICommand, IKeyed
{
    [JsonIgnore] public string Key => $"key-{Number % 5}";
}

internal static class WorkHandlers
{
    [Handler]
    public static Task Handle(Work work, OutboxSession session, CancellationToken ct) => InsertAsync(session, "handled", work.Number, ct);

    internal static async Task InsertAsync(OutboxSession session, string table, long number, CancellationToken ct)
    {
        await using var command = session.Connection.CreateCommand();
        command.Transaction = session.Transaction;
        command.CommandText = $"insert into {table} (number) values ({number})";
        await command.ExecuteNonQueryAsync(ct);
    }
}

[JsonSerializable(typeof(Work))]
internal sealed partial class WorkJson : JsonSerializerContext;
