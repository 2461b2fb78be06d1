using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Transports;

namespace Postrider.Outbox;

/// <summary>Adds the outbox and the inbox to a container.</summary>
public static class OutboxServiceCollectionExtensions
{
    /// <summary>Adds an outbox, whose relay runs while the host runs.</summary>
    /// <param name="services">The service collection that <c>AddPostrider</c> is called on.</param>
    /// <param name="configure">Sets the options; null for the defaults. A wrong value fails the start of the host.</param>
    /// <returns>A builder for the database and the transports.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the container has one.</exception>
    /// <example><code>
    /// builder.Services.AddPostriderOutbox()
    ///     .UseDataSource(p => p.GetRequiredService&lt;NpgsqlDataSource&gt;(), OutboxDatabase.PostgreSql)
    ///     .AddTransport("outbox", over: "orders");
    /// </code></example>
    public static OutboxBuilder AddPostriderOutbox(this IServiceCollection services, Action<OutboxOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        if (services.Any(static service => service.ServiceType == typeof(OutboxSignal)))
            throw new PostriderException(PostriderError.Configuration, "The container already has an outbox: add further transports to the builder that AddPostriderOutbox returned.");
        var options = new OutboxOptions();
        configure?.Invoke(options);
        var transports = new List<string>();
        services.AddSingleton(static _ => new OutboxSignal());
        services.AddSingleton(static services => new OutboxDeadLetters(Store(services), services.GetRequiredService<OutboxSignal>()));
        services.AddScoped(static services => new MessageScheduler(
            services, services.GetRequiredService<RoutedMessages>(), services.GetRequiredService<IOutboxSession>(), OutboxBuilder.Time(services)));
        services.AddSingleton<IHostedService>(services => new OutboxService(
            services, Store(services), transports, options, services.GetRequiredService<OutboxSignal>(), OutboxBuilder.Time(services),
            services.GetService<MessageObserver>(), Logger<OutboxService>(services)));
        return new OutboxBuilder(services, options, transports);
    }

    /// <summary>Handles each message of a transport once: its id is the first row of the transaction that the handler runs in, and a message
    /// that is delivered again is acknowledged without a call.</summary>
    /// <param name="transport">The transport that listens.</param>
    /// <param name="name">The name of the handling service; the same in every process that shares the messages and the tables, and
    /// a different one in every other service. At most 200 characters.</param>
    /// <returns>The builder.</returns>
    /// <remarks>The transaction is committed when the handler has returned, and the message is acknowledged after that. Effectively once for
    /// what the transaction covers: other effects of a handler may be repeated.</remarks>
    public static TransportBuilder UseInbox(this TransportBuilder transport, string name)
    {
        ArgumentNullException.ThrowIfNull(transport);
        ArgumentException.ThrowIfNullOrEmpty(name);
        MessageText.Checked("Inbox name", name, MessageText.MaxIdChars);
        return transport.Use(services => new InboxMiddleware(name, services.GetService<OutboxStore>() is not null, Logger<InboxMiddleware>(services)));
    }

    private static OutboxStore Store(IServiceProvider services)
        => services.GetService<OutboxStore>()
            ?? throw new PostriderException(PostriderError.Configuration, "The outbox has no database: call UseDataSource or UseDbContext after AddPostriderOutbox.");

    private static ILogger Logger<T>(IServiceProvider services) => services.GetService<ILogger<T>>() ?? (ILogger)NullLogger.Instance;
}
