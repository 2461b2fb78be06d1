namespace Postrider.Broker.Storage;

/// <summary>What made a store read-only.</summary>
/// <param name="Kind">The class of fault.</param>
/// <param name="Message">For people: the file, the operation, the system's words.</param>
internal sealed record StoreFault(StoreFaultKind Kind, string Message);
