namespace Postrider.Storage.Subjects;

/// <summary>Visits one subject.</summary>
/// <param name="context">The caller's context.</param>
/// <param name="subject">UTF-8, valid during the call.</param>
/// <param name="state">Its state.</param>
/// <returns>False ends the visit.</returns>
internal delegate bool SubjectVisitor<in TContext>(TContext context, ReadOnlySpan<byte> subject, SubjectState state);
