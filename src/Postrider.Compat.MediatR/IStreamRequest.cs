namespace Postrider.Compat.MediatR;

/// <summary>A request for a sequence, as in MediatR.</summary>
/// <typeparam name="TResponse">The type of the items.</typeparam>
public interface IStreamRequest<TResponse> : Postrider.IStreamRequest<TResponse>;
