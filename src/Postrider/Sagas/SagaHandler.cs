using System.ComponentModel;

namespace Postrider.Sagas;

/// <summary>Handles the messages of one type for a saga: reads the state, calls the method, stores the state and sends what the method sent. For
/// generated code.</summary>
/// <typeparam name="TSaga">The saga.</typeparam>
/// <typeparam name="TMessage">The message.</typeparam>
/// <param name="role">The method's role.</param>
/// <param name="create">Creates a new state.</param>
/// <param name="correlate">Reads the id of the saga from a message; null if only <see cref="SagaSettings{TSaga}.Correlate"/> can.</param>
/// <remarks>Thread-safe.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SagaHandler<TSaga, TMessage>(SagaRole role, Func<TSaga> create, Func<TMessage, string?>? correlate)
    where TSaga : class
{
    /// <summary>Handles a message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="context">Its context.</param>
    /// <param name="call">Calls the method.</param>
    /// <param name="ct">Cancels the handling.</param>
    /// <returns>Completes when the state is stored and its messages are sent.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.SagaNotFound"/>, or <see cref="PostriderError.Conflict"/> in a transaction of
    /// the caller.</exception>
    public async ValueTask HandleAsync(TMessage message, MessageContext context, Func<TSaga, SagaContext, CancellationToken, ValueTask> call, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(call);
        var runtime = SagaServiceCollectionExtensions.RuntimeOf(context.Services, typeof(TSaga));
        var type = runtime.TypeOf<TSaga>();
        var find = type.Settings.Find<TMessage>() ?? correlate
            ?? throw new PostriderException(PostriderError.Configuration, $"{typeof(TMessage)} has no id of the saga {typeof(TSaga)}: call SagaOptions.For<{typeof(TSaga).Name}>().Correlate<{typeof(TMessage).Name}>(…).");
        var id = SagaIds.Checked(find(message), typeof(TMessage), type.Name);
        var store = SagaServiceCollectionExtensions.StoreOf(context.Services);
        var handling = new SagaHandling<TSaga>(runtime, type, store, id, context);
        // With transactions, the listener repeats the delivery of the message, in a new scope.
        for (var conflicts = 1; ; conflicts++)
        {
            try
            {
                await handling.RunAsync(role, typeof(TMessage), create, call, ct).ConfigureAwait(false);
                return;
            }
            catch (PostriderException conflict) when (conflict.Error == PostriderError.Conflict && store.Transactions is null)
            {
                if (!await Transports.Conflicts.WaitAsync(conflict, conflicts, ct).ConfigureAwait(false))
                    throw;
            }
        }
    }
}
