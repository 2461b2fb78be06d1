using System.Data.Common;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Postrider.Transports;

namespace Postrider.Outbox;

/// <summary>Configures the outbox of a container: its database and its transports.</summary>
public sealed class OutboxBuilder
{
    private readonly List<string> _transports;

    internal OutboxBuilder(IServiceCollection services, OutboxOptions options, List<string> transports)
        => (Services, Options, _transports) = (services, options, transports);

    /// <summary>The service collection.</summary>
    public IServiceCollection Services { get; }

    internal OutboxOptions Options { get; }

    /// <summary>Keeps the tables in a database behind ADO.NET. Handlers take an <see cref="OutboxSession"/> for their own rows.</summary>
    /// <param name="source">Gets the data source; the container that created it disposes it. For SQLite:
    /// <c>SqliteFactory.Instance.CreateDataSource(connectionString)</c>.</param>
    /// <param name="database">The database.</param>
    /// <returns>This builder.</returns>
    public OutboxBuilder UseDataSource(Func<IServiceProvider, DbDataSource> source, OutboxDatabase database)
    {
        ArgumentNullException.ThrowIfNull(source);
        Use(services => new DataSourceStore(source(services), database, Options));
        Services.AddScoped(services => new OutboxSession(services.GetRequiredService<OutboxStore>(), services.GetRequiredService<OutboxSignal>(), Time(services)));
        Services.AddScoped<IOutboxSession>(static services => services.GetRequiredService<OutboxSession>());
        Services.TryAddScoped<Middleware.ITransactionSource>(static services => services.GetRequiredService<OutboxSession>());
        return this;
    }

    /// <summary>Adds a transport that writes into the outbox, for routes; the relay sends over another one.</summary>
    /// <param name="name">The name for routes: <c>options.RouteNotification&lt;OrderPlaced&gt;("outbox", json, "orders.placed")</c>.</param>
    /// <param name="over">The name passed to <c>AddPostriderTransport</c> or a similar method. The same in every process
    /// that shares the tables: rows contain it.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: a transport has this name.</exception>
    public OutboxBuilder AddTransport(string name, string over)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentException.ThrowIfNullOrEmpty(over);
        if (Services.Any(service => service.ServiceType == typeof(ITransport) && Equals(service.ServiceKey, name)))
            throw new PostriderException(PostriderError.Configuration, $"The transport '{name}' was already added: choose another name for the one through the outbox.");
        MessageText.Checked("Transport name", over, MessageText.MaxIdChars);
        Services.AddKeyedSingleton<ITransport>(name, (services, _) => new OutboxTransport(
            services.GetKeyedService<ITransport>(over)
                ?? throw new PostriderException(PostriderError.Configuration, $"The outbox '{name}' sends over the transport '{over}', which was not added. Call AddPostriderTransport(\"{over}\", …)."),
            over,
            Options,
            Time(services)));
        if (!_transports.Contains(over, StringComparer.Ordinal))
            _transports.Add(over);
        return this;
    }

    internal void Use(Func<IServiceProvider, OutboxStore> create)
    {
        if (Services.Any(static service => service.ServiceType == typeof(OutboxStore)))
            throw new PostriderException(PostriderError.Configuration, "The outbox already has a database: call UseDataSource or UseDbContext once.");
        Services.AddSingleton(create);
    }

    internal static TimeProvider Time(IServiceProvider services) => services.GetService<TimeProvider>() ?? TimeProvider.System;
}
