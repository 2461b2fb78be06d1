using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Postrider.Outbox.PostgreSql;

/// <summary>Adds PostgreSQL's notifications to an outbox.</summary>
public static class OutboxBuilderExtensions
{
    /// <summary>Wakes the relays of this process whenever any process commits messages, instead of at the next
    /// <see cref="OutboxOptions.PollInterval"/>.</summary>
    /// <param name="outbox">An outbox in PostgreSQL, behind Npgsql.</param>
    /// <returns>The builder.</returns>
    /// <remarks>Needs the trigger of <see cref="OutboxSchema.CreateNotificationsAsync"/>. Takes one connection while the host runs. The relays go
    /// on polling: a notification that is lost with its connection delays a message by the interval and loses nothing. PostgreSQL commits
    /// transactions with notifications one after the other. Source: PostgreSQL's documentation of NOTIFY.</remarks>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>, at the start of the host: the outbox is in another
    /// database.</exception>
    public static OutboxBuilder WakeByNotifications(this OutboxBuilder outbox)
    {
        ArgumentNullException.ThrowIfNull(outbox);
        outbox.Services.AddSingleton<IHostedService>(services => new CommitListener(
            services.GetRequiredService<OutboxStore>(),
            services.GetRequiredService<OutboxSignal>(),
            outbox.Options,
            OutboxBuilder.Time(services),
            services.GetService<ILogger<CommitListener>>() ?? (ILogger)NullLogger.Instance));
        return outbox;
    }
}
