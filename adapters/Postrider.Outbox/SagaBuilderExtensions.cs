using Microsoft.Extensions.DependencyInjection;
using Postrider.Sagas;

namespace Postrider.Outbox;

/// <summary>Keeps sagas in the database of the outbox.</summary>
public static class SagaBuilderExtensions
{
    /// <summary>Keeps the sagas as rows of the outbox's database: state and messages are one transaction, which is also that of
    /// <c>UseInbox</c> if the message's transport has it.</summary>
    /// <param name="sagas">The sagas.</param>
    /// <returns>The builder.</returns>
    /// <remarks>Call <c>AddPostriderOutbox</c> too. Messages that a saga sends must be routed over a transport of
    /// <see cref="OutboxBuilder.AddTransport"/>.</remarks>
    public static SagaBuilder UseOutbox(this SagaBuilder sagas)
    {
        ArgumentNullException.ThrowIfNull(sagas);
        return sagas.UseStore(
            static services => new SqlSagaStore(
                services.GetService<IOutboxSession>() ?? throw NoDatabase(), services.GetService<OutboxStore>() ?? throw NoDatabase(), OutboxBuilder.Time(services)),
            ServiceLifetime.Scoped);
    }

    private static PostriderException NoDatabase()
        => new(PostriderError.Configuration, "The sagas have no database: call AddPostriderOutbox() and UseDataSource or UseDbContext.");
}
