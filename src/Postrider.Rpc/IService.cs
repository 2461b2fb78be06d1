namespace Postrider.Rpc;

/// <summary>Makes an interface that derives from it a contract, as <see cref="ServiceAttribute"/> does: every method is an operation, and the service
/// is called after the interface.</summary>
public interface IService;
