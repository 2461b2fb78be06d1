namespace Postrider.Rpc;

/// <summary>Marks a derived interface as a contract, like <see cref="ServiceAttribute"/>: every method is an operation, and the service
/// is named after the interface.</summary>
public interface IService;
