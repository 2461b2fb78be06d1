using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>The result of storing messages of another stream.</summary>
/// <param name="Last">The origin's sequence of the last message that was stored; 0 for none.</param>
/// <param name="Refused">The origin's sequence of the message that the target rejected, with which to continue later; 0 for none.</param>
/// <param name="Problem">Why the last message that was tried was rejected, or null.</param>
internal readonly record struct SourceWrite(ulong Last, ulong Refused, ApiError? Problem);
