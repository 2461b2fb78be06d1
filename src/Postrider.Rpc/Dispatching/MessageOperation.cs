namespace Postrider.Rpc.Dispatching;

/// <summary>Operations that are message types.</summary>
internal static class MessageOperation
{
    /// <summary>The operation of a message; its name is the type's.</summary>
    /// <exception cref="InvalidOperationException">A generic type has no name that can be sent.</exception>
    public static Operation<TMessage, Unit, TResponse> Create<TMessage, TResponse>(string service, OperationKind kind, IReadOnlyList<FaultDescription> faults)
        => typeof(TMessage).IsGenericType
            ? throw new InvalidOperationException($"{typeof(TMessage)} is generic, so its name does not identify it.")
            : new(service, typeof(TMessage).Name, kind, SpecialParameters.Token | SpecialParameters.Context, static codec => codec.GetFormatter<TMessage>(), faults);
}
