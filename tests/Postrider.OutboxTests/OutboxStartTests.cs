using Microsoft.Data.Sqlite;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Npgsql;
using Postrider.Dispatch;
using Postrider.Outbox;
using Postrider.Outbox.EntityFrameworkCore;
using Postrider.Outbox.PostgreSql;
using Postrider.OutboxTests.EntityFramework;
using Postrider.OutboxTests.Harness;
using Postrider.Transports;

namespace Postrider.OutboxTests;

/// <summary>Mistakes with the outbox, each with the message that ends the start.</summary>
public sealed class OutboxStartTests(PostgresServer server) : IAsyncLifetime
{
    private const string Placed = "Postrider.OutboxTests.Harness.OrderPlaced";
    private const string Make = "Create the tables before the host starts, with OutboxSchema.CreateAsync or a migration from OutboxSchema.Script, or correct their names in OutboxOptions.Tables.";
    private const string Check = "Check database, user and password in the connection string of UseDataSource or UseDbContext.";

    private TestDatabase _sqlite = null!;
    private TestDatabase _empty = null!;
    private TestDatabase _postgres = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<string> Names => [.. new OutboxStartTests(null!).All().Select(static mistake => mistake.Name)];

    public async ValueTask InitializeAsync()
    {
        _sqlite = await TestDatabase.CreateAsync(OutboxDatabase.Sqlite, server);
        _empty = await TestDatabase.CreateAsync(OutboxDatabase.Sqlite, server, withTables: false);
        _postgres = await TestDatabase.CreateAsync(OutboxDatabase.PostgreSql, server, withTables: false);
    }

    public async ValueTask DisposeAsync()
    {
        await _sqlite.DisposeAsync();
        await _empty.DisposeAsync();
        await _postgres.DisposeAsync();
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Start_ends_with_what_is_wrong_and_what_would_be_right(string name)
    {
        var mistake = All().Single(mistake => mistake.Name == name);

        var failure = await StartAsync(mistake.Add);

        Assert.Equal(mistake.Message, failure?.Message);
    }

    // It may be there again in a minute: the relays wait for it.
    [Fact]
    public async Task Database_that_does_not_answer_does_not_end_the_start()
    {
        var failure = await StartAsync(builder => Wire(builder).UseDataSource(static _ => NpgsqlDataSource.Create("Host=127.0.0.1;Port=1;Username=postgres;Timeout=1"), OutboxDatabase.PostgreSql).AddTransport("outbox", over: "wire"));

        Assert.Null(failure);
    }

    [Fact]
    public async Task Database_that_does_not_answer_is_logged_in_one_line()
    {
        using var log = new LogRecorder(LogLevel.Error);
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddProvider(log);
        Wire(builder).UseDataSource(static _ => NpgsqlDataSource.Create("Host=127.0.0.1;Port=1;Username=postgres;Timeout=1"), OutboxDatabase.PostgreSql).AddTransport("outbox", over: "wire");
        using var host = builder.Build();
        await host.StartAsync(Ct);

        var first = await Eventually.GivesAsync(() => Task.FromResult(log.Entries.FirstOrDefault()));

        Assert.Equal("The outbox's database does not work; messages for 'wire' wait in it. NpgsqlException: Failed to connect to 127.0.0.1:1", $"{first.Text}{first.Exception}");
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Database_of_a_context_that_does_not_answer_does_not_end_the_start()
    {
        var failure = await StartAsync(static builder =>
        {
            builder.Services.AddDbContext<ShopContext>(static options => options.UseNpgsql("Host=127.0.0.1;Port=1;Username=postgres;Timeout=1"));
            Wire(builder).UseDbContext<ShopContext>().AddTransport("outbox", over: "wire");
        });

        Assert.Null(failure);
    }

    [Fact]
    public async Task Table_that_the_user_may_not_use_is_told_as_such()
    {
        await using var database = await TestDatabase.CreateAsync(OutboxDatabase.PostgreSql, server);
        await database.ExecuteAsync("create role stranger login");

        var failure = await StartAsync(builder => Wire(builder).UseDataSource(_ => NpgsqlDataSource.Create($"{database.ConnectionString};Username=stranger"), OutboxDatabase.PostgreSql).AddTransport("outbox", over: "wire"));

        Assert.Equal("The outbox's table 'postrider_outbox' cannot be used: 42501: permission denied for table postrider_outbox. Allow its user to select, insert, update and delete rows of the outbox's tables.", failure?.Message);
    }

    private IEnumerable<(string Name, Action<HostApplicationBuilder> Add, string Message)> All()
    {
        yield return ("no tables in SQLite", builder => Sound(builder, _empty), $"The outbox's table 'postrider_outbox' cannot be used: SQLite Error 1: 'no such table: postrider_outbox'. {Make}");
        yield return ("no tables in PostgreSQL", builder => Sound(builder, _postgres), $"The outbox's table 'postrider_outbox' cannot be used: 42P01: relation \"postrider_outbox\" does not exist. {Make}");
        yield return ("no tables of a context", builder =>
        {
            builder.Services.AddDbContext<ShopContext>(options => options.UseSqlite(_empty.ConnectionString));
            Wire(builder).UseDbContext<ShopContext>().AddTransport("outbox", over: "wire");
        }, "The outbox's table 'shop_outbox' cannot be used: SQLite Error 1: 'no such table: shop_outbox'. Create the tables before the host starts, with a migration of ShopContext or Database.EnsureCreated, or correct their names in modelBuilder.AddPostriderOutbox.");
        yield return ("notifications of SQLite", builder => Sound(builder, _sqlite).WakeByNotifications(), "WakeByNotifications needs an outbox in PostgreSQL, and this one is in SQLite: remove the call. Messages of other processes are found within OutboxOptions.PollInterval.");
        yield return ("a table of another name", builder => Sound(builder, _sqlite, static options => options.Tables = new() { Saga = "sagas" }), $"The outbox's table 'sagas' cannot be used: SQLite Error 1: 'no such table: sagas'. {Make}");
        yield return ("a schema that is not there", builder => Sound(builder, _postgres, static options => options.Tables = new() { Schema = "shop" }), $"The outbox's table 'shop.postrider_outbox' cannot be used: 42P01: relation \"shop.postrider_outbox\" does not exist. {Make}");
        yield return ("a database that is not there", builder => Sound(builder, "Database=nowhere"), $"The outbox's database cannot be opened: 3D000: database \"nowhere\" does not exist. {Check}");
        yield return ("a user that is not there", builder => Sound(builder, "Username=nobody"), $"The outbox's database cannot be opened: 28000: role \"nobody\" does not exist. {Check}");
        yield return ("a file in a folder that is not there", builder => Wire(builder).UseDataSource(static _ => SqliteFactory.Instance.CreateDataSource("Data Source=/nowhere/app.db"), OutboxDatabase.Sqlite).AddTransport("outbox", over: "wire"), $"The outbox's database cannot be opened: SQLite Error 14: 'unable to open database file'. {Check}");
        yield return ("a schema with SQLite", builder => Sound(builder, _sqlite, static options => options.Tables = new() { Schema = "shop" }), "OutboxTables.Schema is 'shop', and SQLite has no schemas: leave it null.");
        yield return ("no database", static builder => Wire(builder).AddTransport("outbox", over: "wire"), "The outbox has no database: call UseDataSource or UseDbContext after AddPostriderOutbox.");
        yield return ("two databases", builder => Sound(builder, _sqlite).UseDataSource(_ => _sqlite.Source, OutboxDatabase.Sqlite), "The outbox already has a database: call UseDataSource or UseDbContext once.");
        yield return ("two outboxes", builder =>
        {
            Sound(builder, _sqlite);
            builder.Services.AddPostriderOutbox();
        }, "The container already has an outbox: add further transports to the builder that AddPostriderOutbox returned.");
        yield return ("a transport that was not added", builder => Sound(builder, _sqlite).AddTransport("letters", over: "wrie"), "The outbox sends over the transport 'wrie', which was not added. Call AddPostriderTransport(\"wrie\", …), or correct the name in AddTransport of the outbox.");
        yield return ("a name that a transport has", builder => Sound(builder, _sqlite).AddTransport("wire", over: "wire"), "The transport 'wire' was already added: choose another name for the one through the outbox.");
        yield return ("a route to an outbox that was not added", builder =>
            Wire(builder, routes: static options => options.RouteNotification<OrderPlaced>("outbx", OrdersJson.Provider, "placed")).UseDataSource(_ => _sqlite.Source, OutboxDatabase.Sqlite), $"{Placed} is routed over the transport 'outbx', which was not added. Added: wire. Call AddPostriderTransport(\"outbx\", …) or the method of a transport's package, such as AddNatsStreamTransport(\"outbx\", …) or AddRabbitMqTransport(\"outbx\", …); for an outbox, AddTransport(\"outbx\", over: …).");
        yield return ("a context that is not in the container", static builder => Wire(builder).UseDbContext<ShopContext>().AddTransport("outbox", over: "wire"), $"{typeof(ShopContext)} is not in the container: call AddDbContext<ShopContext>.");
        yield return ("a context without the tables", builder =>
        {
            builder.Services.AddDbContext<BareContext>(options => options.UseSqlite(_sqlite.ConnectionString));
            Wire(builder).UseDbContext<BareContext>().AddTransport("outbox", over: "wire");
        }, $"The model of {typeof(BareContext)} has no outbox: call modelBuilder.AddPostriderOutbox() in OnModelCreating, and add a migration.");
        yield return ("no relay", builder => Sound(builder, _sqlite, static options => options.Relays = 0), "OutboxOptions.Relays is 0 and must be from 1 to 64; set Relay to false where no messages are sent.");
    }

    private void Sound(HostApplicationBuilder builder, string part)
        => Wire(builder).UseDataSource(_ => NpgsqlDataSource.Create($"{_postgres.ConnectionString};{part}"), OutboxDatabase.PostgreSql).AddTransport("outbox", over: "wire");

    private static OutboxBuilder Sound(HostApplicationBuilder builder, TestDatabase database, Action<OutboxOptions>? configure = null)
        => Wire(builder, configure).UseDataSource(_ => database.Source, database.Kind).AddTransport("outbox", over: "wire");

    private static OutboxBuilder Wire(HostApplicationBuilder builder, Action<OutboxOptions>? configure = null, Action<DispatchOptions>? routes = null)
    {
        builder.Services.AddPostrider(routes ?? (static _ => { }));
        builder.Services.AddPostriderTransport("wire", static _ => new InMemoryTransport(), OrdersJson.Provider);
        return builder.Services.AddPostriderOutbox(configure);
    }

    private static async Task<Exception?> StartAsync(Action<HostApplicationBuilder> add)
        => await Record.ExceptionAsync(async () =>
        {
            var builder = Host.CreateEmptyApplicationBuilder(null);
            add(builder);
            using var host = builder.Build();
            await host.StartAsync(Ct);
            await host.StopAsync(Ct);
        });

    private sealed class BareContext(DbContextOptions<BareContext> options) : DbContext(options);
}
