namespace Postrider.Compat.MediatR;

/// <summary>A request without a response, as MediatR has it.</summary>
public interface IRequest : ICommand, IBaseRequest;
