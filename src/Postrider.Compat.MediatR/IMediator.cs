namespace Postrider.Compat.MediatR;

/// <summary>Sends and publishes, as MediatR has it.</summary>
public interface IMediator : ISender, IPublisher;
