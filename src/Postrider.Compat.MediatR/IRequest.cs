namespace Postrider.Compat.MediatR;

/// <summary>A request with a response, as in MediatR.</summary>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IRequest<TResponse> : Postrider.IRequest<TResponse>, IBaseRequest;

/// <summary>A request without a response, as in MediatR.</summary>
public interface IRequest : ICommand, IBaseRequest;
