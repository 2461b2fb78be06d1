using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Postrider.Middleware;

namespace Postrider.Outbox.EntityFrameworkCore;

/// <summary>Keeps the outbox and the inbox in a DbContext.</summary>
public static class OutboxBuilderExtensions
{
    /// <summary>Keeps the tables in the database of a DbContext, whose model has them by
    /// <see cref="OutboxModelBuilderExtensions.AddPostriderOutbox"/>.</summary>
    /// <typeparam name="TContext">The context, which the container has by <c>AddDbContext</c>, <c>AddDbContextPool</c> or
    /// <c>AddDbContextFactory</c>.</typeparam>
    /// <param name="outbox">The outbox.</param>
    /// <returns>The builder.</returns>
    /// <remarks>Messages sent through the outbox become entities of the scope's context: <c>SaveChanges</c> writes them with the others, and
    /// without <c>SaveChanges</c> they are not sent. The inbox begins a transaction of the context, saves the changes after the handler and
    /// commits. An execution strategy that retries calls the handler again in the same scope, with an empty change tracker.</remarks>
    public static OutboxBuilder UseDbContext<TContext>(this OutboxBuilder outbox)
        where TContext : DbContext
    {
        ArgumentNullException.ThrowIfNull(outbox);
        outbox.Use(static services => new DbContextStore<TContext>(services.GetRequiredService<IServiceScopeFactory>()));
        outbox.Services.AddScoped<IOutboxSession>(static services => new DbContextSession<TContext>(
            services.GetRequiredService<TContext>(), services.GetRequiredService<OutboxStore>(), services.GetRequiredService<OutboxSignal>(), OutboxBuilder.Time(services)));
        outbox.Services.TryAddScoped(static services => (ITransactionSource)services.GetRequiredService<IOutboxSession>());
        return outbox;
    }
}
