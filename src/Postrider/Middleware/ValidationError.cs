namespace Postrider.Middleware;

/// <summary>An error of a message.</summary>
/// <param name="Member">The property, or empty for the message as a whole.</param>
/// <param name="Message">The error, with the value and the limit.</param>
public sealed record ValidationError(string Member, string Message);
