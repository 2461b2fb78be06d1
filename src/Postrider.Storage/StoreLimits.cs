namespace Postrider.Storage;

/// <summary>What a store keeps at most; 0 = no limit.</summary>
/// <param name="MaxMessages">Messages in all.</param>
/// <param name="MaxBytes">Bytes in all, as the store reports them.</param>
/// <param name="MaxMessagesPerSubject">Messages per subject.</param>
internal readonly record struct StoreLimits(long MaxMessages, long MaxBytes, long MaxMessagesPerSubject);
