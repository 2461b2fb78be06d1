namespace Postrider.Compat.MediatR;

/// <summary>A notification, as MediatR has it.</summary>
public interface INotification : Postrider.INotification;
