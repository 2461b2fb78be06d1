using System.Data.Common;
using Microsoft.Data.Sqlite;
using Npgsql;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream.Models;
using Postrider.Outbox;
using Postrider.Resilience;
using Postrider.Transport.Nats;
using Postrider.Transport.RabbitMq;
using Postrider.Transports;

namespace Postrider.Samples.Shop;

/// <summary>The settings of the section <c>Shop</c>, and the services that they select.</summary>
/// <param name="section">The section.</param>
public sealed class ShopSettings(IConfigurationSection section)
{
    /// <summary>The destination of dead letters.</summary>
    internal const string DeadLetters = "dead.shop";

    /// <summary>How long an order waits for its payment: <c>Shop:Patience</c>.</summary>
    public TimeSpan Patience { get; } = section["Patience"] is { } patience ? TimeSpan.Parse(patience, System.Globalization.CultureInfo.InvariantCulture) : TimeSpan.FromHours(1);

    // The only setting that has to change for another transport: Shop:Transport.
    private bool IsRabbitMq { get; } = section["Transport"] switch
    {
        null or "nats" => false,
        "rabbitmq" => true,
        var other => throw new PostriderException(PostriderError.Configuration, $"Shop:Transport is '{other}'. Supported: nats, rabbitmq."),
    };

    private string Database { get; } = section["Database"] ?? "Data Source=shop.db";

    private bool IsPostgreSql => Database.Contains("Host=", StringComparison.OrdinalIgnoreCase);

    internal OutboxDatabase DatabaseKind => IsPostgreSql ? OutboxDatabase.PostgreSql : OutboxDatabase.Sqlite;

    internal DbDataSource OpenDatabase() => IsPostgreSql ? NpgsqlDataSource.Create(Database) : SqliteFactory.Instance.CreateDataSource(Database);

    internal TransportBuilder AddTransport(IHostApplicationBuilder builder)
    {
        if (IsRabbitMq)
            return builder.Services.AddRabbitMqTransport("shop", ShopJson.Provider, builder.Configuration.GetSection("Postrider:RabbitMq"));
        builder.AddPostriderClient();
        builder.AddPostriderStreams(static needed => needed
            .Stream(new StreamConfig { Name = "SHOP", Subjects = ["shop.>"] })
            .Stream(new StreamConfig { Name = "SHOP_DEAD", Subjects = ["dead.>"] }));
        return builder.Services.AddNatsStreamTransport("shop", ShopJson.Provider);
    }

    internal AtLeastOnceBinding Bind(string name)
    {
        var retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, BaseDelay = TimeSpan.FromMilliseconds(100), Backoff = Backoff.Exponential };
        return IsRabbitMq
            ? new RabbitMqBinding(name) { Retry = retry, DeadLetter = DeadLetters }
            : new DurableBinding(name) { Consumer = name.Replace('.', '-'), Retry = retry, DeadLetter = DeadLetters };
    }
}
