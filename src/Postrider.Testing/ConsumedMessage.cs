using Postrider.Envelopes;

namespace Postrider.Testing;

/// <summary>A delivery of a message to the application's handlers. A message that is delivered again is recorded again.</summary>
/// <typeparam name="T">The message.</typeparam>
/// <param name="Message">The message.</param>
/// <param name="Source">The source from which it arrived.</param>
/// <param name="Headers">Its headers.</param>
/// <param name="Attempt">The delivery count: 1 for the first, and for a binding that delivers once.</param>
/// <param name="Failure">The handler's exception; null if it returned.</param>
public sealed record ConsumedMessage<T>(T Message, string Source, Headers Headers, long Attempt, Exception? Failure);
