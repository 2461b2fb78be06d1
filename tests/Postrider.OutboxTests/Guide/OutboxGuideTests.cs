using System.Text.Json.Serialization;
using System.Threading.Channels;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Envelopes;
using Postrider.Outbox;
using Postrider.Outbox.EntityFrameworkCore;
using Postrider.OutboxTests.Harness;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.OutboxTests.Guide;

/// <summary>The code of docs/guide/outbox.md, run.</summary>
public sealed class OutboxGuideTests(PostgresServer server)
{
    private readonly Channel<string> _sent = Channel.CreateUnbounded<string>();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Host_of_the_guide_lends_once_and_says_so()
    {
        await using var database = await TestDatabase.CreateAsync(OutboxDatabase.Sqlite, server);
        await database.ExecuteAsync("create table loans (book integer primary key)");
        await using var transport = new InMemoryTransport();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var json = new JsonSerializerProvider(LibraryJson.Default);
        var source = database.Source;

        builder.Services.AddPostrider(options => options.RouteNotification<BookLent>("outbox", json, "library/book.lent"));
        builder.Services.AddPostriderTransport("library", _ => transport, json)
            .UseInbox("library")
            .Command<LendBook>(new AtLeastOnceBinding("library.lend"));
        builder.Services.AddPostriderOutbox()
            .UseDataSource(_ => source, OutboxDatabase.Sqlite)
            .AddTransport("outbox", over: "library");

        using var host = builder.Build();
        await ListenAsync(transport);
        await host.StartAsync(Ct);
        var lend = new Envelope { Destination = "library.lend", Headers = new() { { HeaderNames.MessageId, "lend-7" } }, Body = """{"book":7}"""u8.ToArray() };
        await transport.SendAsync(lend, Ct);
        await transport.SendAsync(lend, Ct);

        Assert.Equal("""{"book":7}""", await _sent.Reader.ReadAsync(Ct).AsTask().WaitAsync(Eventually.Patience, Ct));
        Assert.Equal(1, await database.CountAsync("loans"));
        await using (var scope = host.Services.CreateAsyncScope())
        {
            await scope.ServiceProvider.GetRequiredService<OutboxSession>().BeginAsync(Ct);
            await RemindAsync(scope.ServiceProvider.GetRequiredService<MessageScheduler>(), Ct);
            await PrintAsync(scope.ServiceProvider.GetRequiredService<OutboxDeadLetters>(), Ct);
        }

        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task DbContext_of_the_guide_carries_the_message()
    {
        await using var database = await TestDatabase.CreateAsync(OutboxDatabase.PostgreSql, server, withTables: false);
        await using var transport = new InMemoryTransport();
        var builder = Host.CreateEmptyApplicationBuilder(null);
        var json = new JsonSerializerProvider(LibraryJson.Default);
        builder.Services.AddDbContext<LibraryContext>(options => options.UseNpgsql(database.ConnectionString));
        builder.Services.AddPostrider(options => options.RouteNotification<BookLent>("outbox", json, "library/book.lent"));
        builder.Services.AddPostriderTransport("library", _ => transport, json);

        builder.Services.AddPostriderOutbox()
            .UseDbContext<LibraryContext>()
            .AddTransport("outbox", over: "library");

        using var host = builder.Build();
        await using (var scope = host.Services.CreateAsyncScope())
            await scope.ServiceProvider.GetRequiredService<LibraryContext>().Database.EnsureCreatedAsync(Ct);
        await ListenAsync(transport);
        await host.StartAsync(Ct);
        await using (var scope = host.Services.CreateAsyncScope())
        {
            await scope.ServiceProvider.GetRequiredService<IDispatcher>().PublishAsync(new BookLent(8), Ct);
            await scope.ServiceProvider.GetRequiredService<LibraryContext>().SaveChangesAsync(Ct);
        }

        Assert.Equal("""{"book":8}""", await _sent.Reader.ReadAsync(Ct).AsTask().WaitAsync(Eventually.Patience, Ct));
        await host.StopAsync(Ct);
    }

    private ValueTask<IAsyncDisposable> ListenAsync(InMemoryTransport transport)
        => transport.ListenAsync(
            new TransportBinding("library/book.lent"),
            async (envelope, ct) =>
            {
                await _sent.Writer.WriteAsync(System.Text.Encoding.UTF8.GetString(envelope.Body.Span), ct);
                return null;
            },
            Ct);

    private static async Task RemindAsync(MessageScheduler scheduler, CancellationToken ct)
    {
        var reminder = await scheduler.ScheduleAsync(new BookLent(7), TimeSpan.FromDays(14), ct);
        await scheduler.CancelAsync(reminder, ct);
    }

    private static async Task PrintAsync(OutboxDeadLetters letters, CancellationToken ct)
    {
        await foreach (var letter in letters.ListAsync(ct))
            Console.WriteLine($"{letter.Destination}: {letter.Error}");
    }
}

internal sealed partial record LendBook(int Book) : ICommand;

internal sealed partial record BookLent(int Book) : INotification;

internal static class LibraryHandlers
{
    [Handler]
    public static async Task Lend(LendBook command, OutboxSession session, IDispatcher dispatcher, CancellationToken ct)
    {
        await using var insert = session.Connection.CreateCommand();
        insert.Transaction = session.Transaction;
        insert.CommandText = $"insert into loans (book) values ({command.Book})";
        await insert.ExecuteNonQueryAsync(ct);
        await dispatcher.PublishAsync(new BookLent(command.Book), ct);
    }
}

internal sealed class LibraryContext(DbContextOptions<LibraryContext> options) : DbContext(options)
{
    protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.AddPostriderOutbox();
}

[JsonSerializable(typeof(LendBook))]
[JsonSerializable(typeof(BookLent))]
internal sealed partial class LibraryJson : JsonSerializerContext;
