namespace Postrider.Compat.MediatR;

/// <summary>Sends and publishes, as in MediatR.</summary>
public interface IMediator : ISender, IPublisher;
