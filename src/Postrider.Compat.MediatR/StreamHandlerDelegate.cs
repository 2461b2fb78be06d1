namespace Postrider.Compat.MediatR;

// The name of a migrated type.
#pragma warning disable CA1711

/// <summary>The rest of a stream's pipeline, as MediatR's stream behaviors see it.</summary>
/// <typeparam name="TResponse">The type of the items.</typeparam>
/// <returns>The items.</returns>
public delegate IAsyncEnumerable<TResponse> StreamHandlerDelegate<out TResponse>();
