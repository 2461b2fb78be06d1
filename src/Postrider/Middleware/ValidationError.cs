namespace Postrider.Middleware;

/// <summary>One thing that is wrong with a message.</summary>
/// <param name="Member">The property, or empty for the message as a whole.</param>
/// <param name="Message">What is wrong, with the value and the limit.</param>
public sealed record ValidationError(string Member, string Message);
