using Postrider.Client.JetStream.Models;

namespace Postrider.Client.JetStream.Api;

/// <summary>A reply of the API: a value or an error.</summary>
internal readonly record struct ApiReply<T>(T Value, ApiError? Error);
