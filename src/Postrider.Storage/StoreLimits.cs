namespace Postrider.Storage;

/// <summary>The limits of a store; 0 = no limit.</summary>
/// <param name="MaxMessages">Total number of messages.</param>
/// <param name="MaxBytes">Total size in bytes, as reported by the store.</param>
/// <param name="MaxMessagesPerSubject">Number of messages per subject.</param>
internal readonly record struct StoreLimits(long MaxMessages, long MaxBytes, long MaxMessagesPerSubject);
