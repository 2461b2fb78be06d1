using System.Data.Common;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Npgsql;
using Postrider.Benchmarks.Routing;
using Postrider.Benchmarks.Turns;
using Postrider.Outbox;
using Postrider.Outbox.PostgreSql;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Routing;

/// <summary>What a message costs the transaction that writes it, and how soon after the commit another process has sent it.</summary>
internal static class TransactionRows
{
    private const string Insert = "insert into business (note) values ('sold')";
    private const double MaxRatio = 1.35;
    private const double MaxMicroseconds = 5_000;

    public static async Task RunAsync(TurnTaking turns, TurnReport report, NpgsqlDataSource source)
    {
        await using (var make = source.CreateCommand("create table business (number bigint generated always as identity primary key, note text)"))
            await make.ExecuteNonQueryAsync();
        using var writer = Build(source, new NullTransport(new("wire", static (in properties, body) => null)), relays: false);
        await writer.StartAsync();

        var costs = await turns.TakeAsync("transaction, 1 message", [new SingleTurn(Turn.Ours, () => WriteAsync(writer.Services)), new SingleTurn("without a message", () => WriteAsync(source))]);
        report.Add(costs, ours => [TurnTarget.Of(ours, costs[1], MaxRatio)]);
        await using (var clear = source.CreateCommand("delete from postrider_outbox"))
            await clear.ExecuteNonQueryAsync();

        await OutboxSchema.CreateNotificationsAsync(source);
        var sent = new TaskCompletionSource();
        using var relay = Build(source, new NullTransport(new("wire", (in properties, body) => Volatile.Read(ref sent).TrySetResult())), relays: true);
        await relay.StartAsync();
        var delays = await turns.TakeAsync("written to sent", [new SingleTurn(Turn.Ours, async () =>
        {
            var next = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Volatile.Write(ref sent, next);
            await WriteAsync(writer.Services);
            await next.Task;
        })]);
        report.Add(delays, static ours => [new TurnTarget("us", ours.Value, MaxMicroseconds)]);
        await relay.StopAsync();
        await writer.StopAsync();
    }

    private static IHost Build(NpgsqlDataSource source, NullTransport wire, bool relays)
    {
        var json = new JsonSerializerProvider(StoredJson.Default);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddPostrider(options => options.RouteNotification<Stored>("outbox", json, "stored"));
        builder.Services.AddPostriderTransport("wire", _ => wire, json);
        builder.Services.AddPostriderOutbox(options => options.Relay = relays)
            .UseDataSource(_ => source, OutboxDatabase.PostgreSql).AddTransport("outbox", over: "wire").WakeByNotifications();
        return builder.Build();
    }

    private static async ValueTask WriteAsync(IServiceProvider services)
    {
        await using var scope = services.CreateAsyncScope();
        var (session, dispatcher) = (scope.ServiceProvider.GetRequiredService<OutboxSession>(), scope.ServiceProvider.GetRequiredService<IDispatcher>());
        await session.BeginAsync();
        await InsertAsync(session.Connection, session.Transaction);
        await dispatcher.PublishAsync(new Stored("key"));
        await session.CommitAsync();
    }

    private static async ValueTask WriteAsync(NpgsqlDataSource source)
    {
        await using var connection = await source.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await InsertAsync(connection, transaction);
        await transaction.CommitAsync();
    }

    private static async Task InsertAsync(DbConnection connection, DbTransaction transaction)
    {
        await using var insert = connection.CreateCommand();
        (insert.CommandText, insert.Transaction) = (Insert, transaction);
        await insert.ExecuteNonQueryAsync();
    }
}
