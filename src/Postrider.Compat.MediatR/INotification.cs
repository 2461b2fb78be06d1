namespace Postrider.Compat.MediatR;

/// <summary>A notification, as in MediatR.</summary>
public interface INotification : Postrider.INotification;
