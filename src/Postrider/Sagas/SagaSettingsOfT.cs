namespace Postrider.Sagas;

/// <summary>Settings of one saga.</summary>
/// <typeparam name="TSaga">The class.</typeparam>
public sealed class SagaSettings<TSaga> : SagaSettings
    where TSaga : class
{
    private readonly Dictionary<Type, Delegate> _correlations = [];

    internal SagaSettings()
        : base(typeof(TSaga))
    {
    }

    /// <summary>Defines how the id of the saga is read from a message, instead of the message's attributes.</summary>
    /// <typeparam name="TMessage">The message, which a method of the saga handles.</typeparam>
    /// <param name="id">Reads the id.</param>
    /// <returns>These settings.</returns>
    public SagaSettings<TSaga> Correlate<TMessage>(Func<TMessage, string?> id)
    {
        ArgumentNullException.ThrowIfNull(id);
        _correlations[typeof(TMessage)] = id;
        return this;
    }

    internal Func<TMessage, string?>? Find<TMessage>() => (Func<TMessage, string?>?)_correlations.GetValueOrDefault(typeof(TMessage));
}
